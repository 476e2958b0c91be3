import type { CatalogueChange } from '../../../application/index.js';
import { Catalogue, type VersionId } from '../../../domain/index.js';
import { type Commit, type RevisionRecord, versionOfRecord } from './commit.js';

/** The state of a store after a number of commits. */
export class StoreState {
  private current = Catalogue.empty;
  /** Records of the published versions, by revision. */
  private readonly published = new Map<string, RevisionRecord>();
  /** Revisions of the published versions, by directory name. */
  private readonly revisions = new Map<string, string>();
  private readonly removed = new Map<string, number>();
  /** Versions that have changed since `current` was made: a start applies thousands of commits at once. */
  private readonly changed = new Map<string, Pick<VersionId, 'project' | 'label'>>();

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
    for (const record of records) state.add(record);
    state.current = Catalogue.of([...state.published.values()].map(versionOfRecord));
    for (const [revision, at] of removed) state.removed.set(revision, at);
    return state;
  }

  /** Number of the last commit; 0 before the first one. */
  get number(): number {
    return this.count;
  }

  get catalogue(): Catalogue {
    if (this.changed.size > 0) {
      const ids = [...this.changed];
      this.changed.clear();
      const records = ids.map(([name]) => this.published.get(this.revisions.get(name) ?? ''));
      this.current = this.current.changed({
        come: records.flatMap((record) => (record === undefined ? [] : [versionOfRecord(record)])),
        gone: ids.flatMap(([, id], index) => (records[index] === undefined ? [id] : [])),
      });
    }
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
    if (change.kind === 'purge') {
      for (const revision of change.revisions) this.removed.delete(revision);
      return { came: [], gone: [] };
    }
    const { project, version: label } = change.kind === 'publish' ? change.record : change;
    const directoryName = `${project}-${label}`;
    const before = this.published.get(this.revisions.get(directoryName) ?? '');
    if (before !== undefined) {
      this.published.delete(before.revision);
      this.revisions.delete(directoryName);
      this.removed.set(before.revision, Date.parse(at));
    }
    if (change.kind === 'publish') this.add(change.record);
    this.changed.set(directoryName, { project, label });
    return {
      came: change.kind === 'publish' ? [versionOfRecord(change.record)] : [],
      gone: before === undefined ? [] : [versionOfRecord(before)],
    };
  }

  private add(record: RevisionRecord): void {
    this.published.set(record.revision, record);
    this.revisions.set(`${record.project}-${record.version}`, record.revision);
  }
}
