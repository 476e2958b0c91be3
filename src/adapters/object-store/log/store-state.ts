import type { CatalogueChange } from '../../../application/index.js';
import { Catalogue, type Version } from '../../../domain/index.js';
import { type Change, type Commit, type RevisionRecord, versionOfRecord } from './commit.js';

/** The state of a store after a number of commits. */
export class StoreState {
  private current = Catalogue.empty;
  /** Records of the published versions, by revision. */
  private readonly published = new Map<string, RevisionRecord>();
  private readonly removed = new Map<string, number>();

  private constructor(private count: number) {}

  static empty(): StoreState {
    return new StoreState(0);
  }

  /**
   * @param number of the last commit
   * @param removed revisions that were replaced or removed, with the time in milliseconds since 1970
   */
  static of(
    number: number,
    records: Iterable<RevisionRecord>,
    removed: Iterable<readonly [string, number]>,
  ): StoreState {
    const state = new StoreState(number);
    for (const record of records) state.published.set(record.revision, record);
    state.current = Catalogue.of([...state.published.values()].map(versionOfRecord));
    for (const [revision, at] of removed) state.removed.set(revision, at);
    return state;
  }

  /** Number of the last commit; 0 before the first one. */
  get number(): number {
    return this.count;
  }

  get catalogue(): Catalogue {
    return this.current;
  }

  get records(): Iterable<RevisionRecord> {
    return this.published.values();
  }

  /** The record of a published version. */
  record(revision: string): RevisionRecord | undefined {
    return this.published.get(revision);
  }

  /** Number of published versions. */
  get size(): number {
    return this.published.size;
  }

  /** Revisions that were replaced or removed and are not purged, with the time in milliseconds since 1970. */
  get retired(): ReadonlyMap<string, number> {
    return this.removed;
  }

  isPublished(revision: string): boolean {
    return this.published.has(revision);
  }

  /** Whether objects of this revision are in use, or may be. */
  isKnown(revision: string): boolean {
    return this.published.has(revision) || this.removed.has(revision);
  }

  /** Applies the commit after the last one. */
  apply({ at, change }: Commit): CatalogueChange {
    this.count += 1;
    const { came, gone } = this.differenceOf(change);
    for (const { revision } of gone) {
      this.published.delete(revision);
      this.removed.set(revision, Date.parse(at));
    }
    if (change.kind === 'publish') this.published.set(change.record.revision, change.record);
    if (change.kind === 'purge') for (const revision of change.revisions) this.removed.delete(revision);
    this.current = this.current.changed({ come: came, gone });
    return { came, gone };
  }

  private differenceOf(change: Change): CatalogueChange {
    if (change.kind === 'purge') return { came: [], gone: [] };
    const came: Version[] = change.kind === 'publish' ? [versionOfRecord(change.record)] : [];
    const { project, version } = change.kind === 'publish' ? change.record : change;
    const before = this.current.project(project)?.version(version);
    return { came, gone: before === undefined ? [] : [before] };
  }
}
