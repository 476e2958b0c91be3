import { type Project, type SearchScope, type Version, versionsToIndex } from '../../domain/index.js';
import type { Catalogues } from '../ports/doc-store.js';

/** Pauses after a failure, in milliseconds: the first one, and the longest. */
export const MIN_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 3_600_000;
/** Max. number of versions that wait since somebody searched in them. The next search in another one asks again. */
const MAX_WANTED = 20;

/** The versions of the scope in one state of the catalogue. */
interface Scope {
  readonly projects: readonly Project[];
  readonly revisions: ReadonlySet<string>;
  /** Versions without an index, by revision, in the order in which they are indexed. */
  readonly missing: Map<string, Version>;
}

interface Failure {
  readonly pauseMs: number;
  /** Time by `performance.now()`, in milliseconds. */
  readonly until: number;
}

/** The versions that are to have an index: those of the scope, and those that somebody searched in. */
export class VersionsToIndex {
  /** Revisions that have an index. */
  private readonly indexed = new Set<string>();
  private scoped: Scope | undefined;
  /** Versions outside of the scope that somebody searched in, by revision. */
  private readonly wanted = new Map<string, Version>();
  private readonly failures = new Map<string, Failure>();

  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue'>,
    private readonly scope: SearchScope,
    /** Pause after the first failure of a version, in milliseconds. */
    private readonly firstPauseMs = MIN_PAUSE_MS,
  ) {}

  /** Versions of the scope that have an index, and those that have none yet. */
  status(): { readonly indexed: number; readonly missing: number } {
    const { revisions, missing } = this.inScope();
    return { indexed: revisions.size - missing.size, missing: missing.size };
  }

  /** Versions of the scope without an index, in the order in which they are indexed. */
  missing(): Iterable<Version> {
    return this.inScope().missing.values();
  }

  /** Versions that only this process was asked for. */
  wantedHere(): readonly Version[] {
    const { revisions } = this.inScope();
    for (const [revision, version] of this.wanted) {
      const isNeeded = this.isPublished(version) && !this.indexed.has(revision) && !revisions.has(revision);
      if (!isNeeded) this.wanted.delete(revision);
    }
    return [...this.wanted.values()];
  }

  /** Has a version indexed that was searched in, unless it failed lately or many wait. */
  want(version: Version): void {
    const { revision } = version;
    if (!this.isPausing(revision) && this.wanted.size < MAX_WANTED) this.wanted.set(revision, version);
  }

  isPublished({ directoryName, revision }: Version): boolean {
    return this.docs.catalogue().version(directoryName)?.revision === revision;
  }

  /** Whether a revision has no index as far as is known, and has not failed lately. */
  isDue(revision: string): boolean {
    return !this.indexed.has(revision) && !this.isPausing(revision);
  }

  noteIndexed(revision: string): void {
    this.indexed.add(revision);
    this.scoped?.missing.delete(revision);
  }

  /** Notes that a revision has no index. @returns whether it had one */
  forget(revision: string): boolean {
    if (!this.indexed.delete(revision)) return false;
    this.scoped = undefined;
    return true;
  }

  /** Forgets all about a revision that is gone. */
  remove(revision: string): void {
    this.forget(revision);
    this.wanted.delete(revision);
    this.failures.delete(revision);
  }

  /**
   * Has a revision pause before it is tried again, each time for twice as long.
   * @returns whether it is its first failure
   */
  noteFailure(revision: string): boolean {
    // It leaves its place to others. A search after the pause asks again.
    this.wanted.delete(revision);
    const before = this.failures.get(revision)?.pauseMs;
    const pauseMs = before === undefined ? this.firstPauseMs : Math.min(MAX_PAUSE_MS, 2 * before);
    this.failures.set(revision, { pauseMs, until: performance.now() + pauseMs });
    return before === undefined;
  }

  forgetFailure(revision: string): void {
    this.failures.delete(revision);
  }

  /** Milliseconds until the first failed version that is still to be indexed is tried again; Infinity where there is none. */
  pauseMs(isBuilding: (revision: string) => boolean): number {
    const missing = [...this.wantedHere(), ...this.missing()];
    const waiting = missing.filter(({ revision }) => !isBuilding(revision));
    const times = waiting.flatMap(({ revision }) => this.failures.get(revision)?.until ?? []);
    return Math.max(0, Math.min(...times) - performance.now());
  }

  private isPausing(revision: string): boolean {
    return (this.failures.get(revision)?.until ?? 0) > performance.now();
  }

  /** Made once for each state of the catalogue: there may be thousands of versions, and each is looked for. */
  private inScope(): Scope {
    const { projects } = this.docs.catalogue();
    if (this.scoped?.projects === projects) return this.scoped;
    const versions = versionsToIndex(projects, this.scope);
    const missing = versions.filter(({ revision }) => !this.indexed.has(revision));
    this.scoped = {
      projects,
      revisions: new Set(versions.map(({ revision }) => revision)),
      missing: new Map(missing.map((version) => [version.revision, version])),
    };
    return this.scoped;
  }
}
