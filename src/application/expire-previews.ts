import { Refusal, type Version } from '../domain/index.js';
import type { DocStore } from './ports/doc-store.js';

/** Use case: removes previews that have come to their end. Safe for several processes and nodes at once. */
export class ExpirePreviews {
  constructor(private readonly docs: Pick<DocStore, 'catalogue' | 'remove'>) {}

  /**
   * Removes expired previews. One that was replaced meanwhile stays.
   * @returns the removed previews, and the time of the next end
   */
  async execute(
    now: Date,
  ): Promise<{ readonly removed: readonly Version[]; readonly next: Date | undefined }> {
    const removed: Version[] = [];
    for (const preview of this.docs.catalogue().previews.expired(now)) {
      try {
        await this.docs.remove(preview, { revision: preview.revision, purge: true });
        removed.push(preview);
      } catch (error) {
        // Another process has removed or replaced it.
        if (!(error instanceof Refusal && error.code === 'preview_not_found')) throw error;
      }
    }
    const { nextEndMs } = this.docs.catalogue().at(now).previews;
    return { removed, next: nextEndMs === Number.POSITIVE_INFINITY ? undefined : new Date(nextEndMs) };
  }
}
