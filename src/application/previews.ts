import {
  maxInRound,
  previewIdOf,
  Refusal,
  refuse,
  serverActor,
  type Version,
  type VisibleCatalogue,
} from '../domain/index.js';
import type { Changes } from './changes.js';
import type { Catalogues } from './ports/doc-store.js';

const EXPIRY = serverActor('expiry of previews');

/** Use case: removes previews that have come to their end. Safe for several processes and nodes at once. */
export class ExpirePreviews {
  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue'>,
    private readonly changes: Pick<Changes, 'remove'>,
  ) {}

  /** Returns the previews that have come to their end, those that ended first in front. */
  due(now: Date): readonly Version[] {
    return this.docs
      .catalogue()
      .previews.expired(now)
      .toSorted((a, b) => (a.record.expiresAt?.getTime() ?? 0) - (b.record.expiresAt?.getTime() ?? 0));
  }

  /** Returns how many previews one round of housekeeping may remove. */
  get maxInRound(): number {
    return maxInRound(this.docs.catalogue().previews.all().length);
  }

  /**
   * Removes expired previews. A preview that was replaced meanwhile stays. Removed previews can be restored for a while.
   * @param signal ends the work between two previews
   * @param waiting previews that are left for later
   * @returns each preview once it is removed
   * @throws a failure of the store: at once when it is out of reach, else after the others are removed
   */
  async *execute(now: Date, signal?: AbortSignal, waiting: readonly Version[] = []): AsyncGenerator<Version> {
    const failures: unknown[] = [];
    const later = new Set(waiting);
    for (const preview of this.due(now)) {
      if (signal?.aborted === true) return;
      if (later.has(preview)) continue;
      try {
        const change = { actor: EXPIRY, now, reason: 'expired' } as const;
        await this.changes.remove(change, preview, { revision: preview.revision });
      } catch (error) {
        // Another process has removed or replaced it.
        if (error instanceof Refusal && error.code === 'preview_not_found') continue;
        // Throws when the store is out of reach.
        this.docs.catalogue();
        failures.push(error);
        continue;
      }
      yield preview;
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Returns the time of the next end; undefined when there is none. */
  nextEnd(now: Date): Date | undefined {
    const { nextEndMs } = this.docs.catalogue().at(now).previews;
    return nextEndMs === Number.POSITIVE_INFINITY ? undefined : new Date(nextEndMs);
  }
}

/** Use case: shows the previews of a project. */
export class ShowPreviews {
  /**
   * Returns the previews of a project, newest first.
   * @throws Refusal `project_not_found` when there is neither a version nor a preview
   */
  async ofProject(seen: VisibleCatalogue, project: string): Promise<readonly Version[]> {
    const previews = seen.previews.of(project);
    if (previews.length === 0 && seen.project(project) === undefined) throw refuse.projectNotFound(project);
    return previews;
  }

  /** @throws Refusal `preview_not_found` */
  async execute(seen: VisibleCatalogue, project: string, name: string): Promise<Version> {
    const id = previewIdOf(project, name);
    const preview = id && seen.version(id.directoryName);
    if (preview === undefined) throw refuse.previewNotFound(project, name);
    return preview;
  }
}
