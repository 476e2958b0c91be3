import { isPreview, type VersionId } from './names/version-id.js';
import { lifetimeOfDays } from './quantities.js';
import type { Version } from './version.js';

/** Returns whether a preview has come to its end. Versions have none. */
export function hasExpired({ record }: Partial<Pick<Version, 'record'>>, now: Date): boolean {
  const end = record?.expiresAt;
  return end !== undefined && end <= now;
}

/**
 * Returns whether what is removed can be restored for a while. A preview can only when it had come to its end: each push
 * replaces one.
 */
export function isKeptWhenRemoved(
  version: Pick<Version, 'directoryName'> & Partial<Pick<Version, 'record'>>,
  removedAt: Date,
  isReplaced = false,
): boolean {
  return !isPreview(version) || (!isReplaced && hasExpired(version, removedAt));
}

/** Returns for how long something removed can be restored: a preview for a day at most. Milliseconds. */
export function keptFor(id: Pick<VersionId, 'directoryName'>, keepMs: number): number {
  return isPreview(id) ? Math.min(keepMs, lifetimeOfDays(1)) : keepMs;
}

/** Returns a time for a sentence: `2026-12-01 09:30 UTC`. */
export function minuteOf(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** All previews of a catalogue. Immutable, as the catalogue is. */
export class Previews {
  static readonly none = new Previews(new Map());
  /** The first end of all previews, in milliseconds since 1970; infinite when none of them expires. */
  readonly nextEndMs: number;

  /** @param byProject newest first */
  private constructor(private readonly byProject: ReadonlyMap<string, readonly Version[]>) {
    this.nextEndMs = this.all().reduce(
      (first, { record }) => Math.min(first, record.expiresAt?.getTime() ?? first),
      Number.POSITIVE_INFINITY,
    );
  }

  all(): readonly Version[] {
    return [...this.byProject.values()].flat();
  }

  /** Previews of one project, newest first. */
  of(project: string): readonly Version[] {
    return this.byProject.get(project) ?? [];
  }

  /** Returns the previews of some projects only; the same object when these have all. */
  inProjects(isOne: (project: string) => boolean): Previews {
    const byProject = new Map([...this.byProject].filter(([project]) => isOne(project)));
    return byProject.size === this.byProject.size ? this : new Previews(byProject);
  }

  find({ project, label }: VersionId): Version | undefined {
    return this.of(project).find((preview) => preview.label === label);
  }

  /** Returns the previews that have come to their end. */
  expired(now: Date): readonly Version[] {
    return this.nextEndMs > now.getTime() ? [] : this.all().filter((preview) => hasExpired(preview, now));
  }

  /** @param come previews to add or replace */
  changed(come: readonly Version[], gone: readonly VersionId[]): Previews {
    if (come.length === 0 && gone.length === 0) return this;
    const byProject = new Map(this.byProject);
    const names = new Set([...come, ...gone].map(({ directoryName }) => directoryName));
    for (const project of new Set([...come, ...gone].map((each) => each.project))) {
      const left = this.of(project).filter(({ directoryName }) => !names.has(directoryName));
      const coming = come.filter((preview) => preview.project === project);
      const previews = [...coming, ...left].sort(newestFirst);
      if (previews.length === 0) byProject.delete(project);
      else byProject.set(project, previews);
    }
    return new Previews(byProject);
  }
}

function newestFirst(a: Version, b: Version): number {
  return b.record.publishedAt.getTime() - a.record.publishedAt.getTime() || (a.label < b.label ? -1 : 1);
}
