import { isPreview, type Project, type Reader, type VisibleCatalogue } from '../../domain/index.js';
import type { Changes } from '../changes.js';
import { type Catalogues, FRESHNESS_MS, type Removal } from '../ports/doc-store.js';

/** Max. changes in a list. */
const MAX_CHANGES = 50;

/** A version that was published or removed. */
export interface RecentChange {
  /** `replaced`: published in place of another publication, which can still be restored. */
  readonly kind: 'published' | 'replaced' | 'removed';
  /** Time of the publication, or the removal. */
  readonly time: Date;
  readonly version: Removal['version'];
  /** Undefined for one that is gone. */
  readonly project: Project | undefined;
}

/**
 * Use case: lists which versions were published, replaced and removed lately, of each the last change, from what the store
 * knows. Removals are those that can be restored. Previews, hidden versions and purged ones are in no list.
 */
export class RecentChanges {
  /** The newest versions of all projects, by the array of these. */
  private readonly newest = new WeakMap<readonly Project[], readonly RecentChange[]>();
  private known:
    | {
        readonly removed: Promise<readonly Removal[]>;
        readonly change: number;
        /** Not known before they are read: the next reader does not begin anew meanwhile. */
        until: number;
      }
    | undefined;

  constructor(
    private readonly docs: Catalogues,
    private readonly changes: Pick<Changes, 'made'>,
  ) {}

  /**
   * Returns at most 50 changes, newest first.
   * @param seen what the reader sees
   * @param only the one project, of those seen
   */
  async execute(seen: VisibleCatalogue, reader: Reader, only?: Project): Promise<readonly RecentChange[]> {
    const published = only === undefined ? this.newestOf(seen.listed) : newestIn([only]);
    const all = await this.removed();
    const { settings } = this.docs.catalogue();
    const isShown = ({ version }: Removal) => {
      const { project: name, label } = version;
      if (isPreview(version) || !reader.maySee(name) || settings.get(name)?.hidden.has(label) === true)
        return false;
      if (only !== undefined && only.directoryName !== name) return false;
      // A project whose versions are all hidden is not gone, and is in no list.
      return seen.project(name) === undefined || seen.listedProject(name) !== undefined;
    };
    const removed = all.filter(isShown);
    const isGone = (each: Removal) => seen.version(nameOf(each))?.revision !== each.version.revision;
    const replaced = new Set(removed.filter((each) => each.isReplaced && isGone(each)).map(nameOf));
    const gone = new Map<string, RecentChange>();
    for (const each of removed) {
      const { version, removedAt: time } = each;
      const name = nameOf(each);
      // Newest removal first.
      if (gone.has(name) || seen.version(name) !== undefined) continue;
      gone.set(name, { kind: 'removed', time, version, project: seen.project(version.project) });
    }
    const changes = published.map((change) =>
      replaced.has(change.version.directoryName) ? { ...change, kind: 'replaced' as const } : change,
    );
    return [...changes, ...gone.values()].sort(byTime).slice(0, MAX_CHANGES);
  }

  /**
   * Returns at most 50 listed versions, the last published first, without asking the store.
   * @param seen what the reader sees
   */
  published(seen: VisibleCatalogue): readonly RecentChange[] {
    return this.newestOf(seen.listed);
  }

  private newestOf(projects: readonly Project[]): readonly RecentChange[] {
    const newest = this.newest.get(projects) ?? newestIn(projects);
    this.newest.set(projects, newest);
    return newest;
  }

  /** Removals, read again after each own change, and to see those by others. */
  private removed(): Promise<readonly Removal[]> {
    const { made: change } = this.changes;
    if (this.known === undefined || this.known.change !== change || this.known.until < performance.now()) {
      const removed = this.docs.removals();
      const known = { removed, change, until: Number.POSITIVE_INFINITY };
      this.known = known;
      removed.then(
        () => {
          known.until = performance.now() + FRESHNESS_MS;
        },
        () => {
          known.until = 0;
        },
      );
    }
    return this.known.removed;
  }
}

function newestIn(projects: readonly Project[]): readonly RecentChange[] {
  const all = projects.flatMap((project) =>
    project.listed.map(
      (version): RecentChange => ({
        ...{ kind: 'published', time: version.record.publishedAt, version, project },
      }),
    ),
  );
  return all.sort(byTime).slice(0, MAX_CHANGES);
}

function byTime(a: RecentChange, b: RecentChange): number {
  return b.time.getTime() - a.time.getTime() || (a.version.directoryName < b.version.directoryName ? -1 : 1);
}

function nameOf({ version }: Pick<Removal, 'version'>): string {
  return version.directoryName;
}
