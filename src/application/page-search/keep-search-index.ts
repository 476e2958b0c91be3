import type { SearchScope, Version } from '../../domain/index.js';
import type { CatalogueChange, Catalogues } from '../ports/doc-store.js';
import type { SearchIndex } from '../ports/search-index.js';
import type { Sites } from '../ports/sites.js';
import { type SiteLimits, searchableSite } from '../search/searchable-site.js';
import { MIN_PAUSE_MS, VersionsToIndex } from './versions-to-index.js';

/** Delay after a change of the catalogue, in milliseconds: the answer to an upload goes out first. */
const DELAY_MS = 100;
/** Interval between two looks while another process is to index what is missing, in milliseconds. */
const WAIT_MS = 5_000;

export interface KeepSearchIndexOptions {
  readonly scope: SearchScope;
  /** Whether this process is the one that indexes, of all that share the index. @default always */
  readonly isFirst?: () => Promise<boolean>;
  /** Pause after the first failure of a version, in milliseconds. It doubles each time. @default 10 s */
  readonly firstPauseMs?: number;
  /** Max. number of versions that are indexed at a time. @default 1 */
  readonly maxBuilds?: number;
  /** Limits on reading one version. @default 4 GB of HTML, 30 minutes */
  readonly limits?: SiteLimits;
  /** Receives warnings. */
  readonly report?: (message: string, fields: object) => void;
}

/** State of the index, for metrics. */
export interface SearchIndexStatus {
  /** Versions of the scope that have an index, and those that have none yet. */
  readonly indexed: number;
  readonly missing: number;
  /** Indexes that this process has built, and builds that failed. */
  readonly built: number;
  readonly failed: number;
  /** Pages in the indexes that this process has built. */
  readonly pages: number;
}

/**
 * Use case: keeps an index of each version that is to be searchable. It compares the catalogue with the index, and builds
 * what is missing, a few versions at a time. Nothing is queued, so there is nothing that a crash could lose.
 */
export class KeepSearchIndex {
  private readonly versions: VersionsToIndex;
  /** Revisions whose index was reported as damaged, and has not been rebuilt yet. */
  private readonly damaged = new Set<string>();
  /** Revisions whose damaged index was rebuilt here. An index that is damaged once more counts as a failed build. */
  private readonly remade = new Set<string>();
  private readonly counts = { built: 0, failed: 0, pages: 0 };
  private isClosed = false;
  /** Indexes that are being built, by revision. */
  private readonly builds = new Map<
    string,
    { readonly abort: AbortController; readonly done: Promise<void> }
  >();
  private timer: NodeJS.Timeout | undefined;
  /** Time by `performance.now()`, in milliseconds. Infinity: when something changes. */
  private nextLookAt = Number.POSITIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private unsubscribe = () => {};

  constructor(
    private readonly docs: Pick<Catalogues, 'catalogue' | 'subscribe'> & Pick<Sites, 'listFiles' | 'open'>,
    private readonly index: Pick<SearchIndex, 'has' | 'build' | 'drop'>,
    private readonly options: KeepSearchIndexOptions,
  ) {
    this.versions = new VersionsToIndex(docs, options.scope, options.firstPauseMs);
  }

  /** Begins to index what is missing, and follows the catalogue from then on. */
  start(): void {
    this.unsubscribe = this.docs.subscribe((change) => this.follow(change));
    this.lookIn(DELAY_MS);
  }

  /**
   * Notes that versions were searched that have no index.
   * @param isDamaged whether they had one, which is unusable
   */
  want(versions: readonly Version[], isDamaged = false): void {
    for (const version of versions) {
      const { revision } = version;
      // The index of a version that has gone meanwhile is no loss.
      if (!this.versions.isPublished(version)) continue;
      const wasThere = this.versions.forget(revision) || isDamaged;
      if (wasThere && !this.damaged.has(revision)) {
        this.damaged.add(revision);
        if (this.remade.has(revision)) this.fail(version, new Error('its rebuilt index cannot be read'));
        else this.report('a search index is damaged or missing; rebuilding it', version);
      }
      this.versions.want(version);
    }
    this.lookIn(0);
  }

  status(): SearchIndexStatus {
    return { ...this.versions.status(), ...this.counts };
  }

  /** Stops building. Safe to call twice. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.looking;
    for (const { abort } of this.builds.values()) abort.abort(new Error('the server is closing'));
    await Promise.all(Array.from(this.builds.values(), ({ done }) => done));
  }

  private follow({ gone }: CatalogueChange): void {
    for (const { revision } of gone) {
      this.versions.remove(revision);
      this.damaged.delete(revision);
      this.remade.delete(revision);
      const build = this.builds.get(revision);
      if (build === undefined) void this.drop(revision);
      else build.abort.abort(new Error('the version is gone'));
    }
    this.lookIn(DELAY_MS);
  }

  /** Looks for missing indexes after a delay at the latest, or once more if that is being done. */
  private lookIn(delayMs: number): void {
    const lookAt = performance.now() + delayMs;
    if (this.isClosed || lookAt >= this.nextLookAt) return;
    this.nextLookAt = lookAt;
    // The one that is being done begins the next one.
    if (this.looking !== undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.nextLookAt = Number.POSITIVE_INFINITY;
      this.looking = this.look().then((waitMs) => {
        this.looking = undefined;
        const askedMs = this.nextLookAt - performance.now();
        this.nextLookAt = Number.POSITIVE_INFINITY;
        this.lookIn(Math.max(0, Math.min(askedMs, waitMs)));
      });
    }, delayMs);
    this.timer.unref();
  }

  /**
   * Begins to build what is missing. A build that ends looks again.
   * @returns milliseconds until the next look; Infinity: when something changes
   */
  private async look(): Promise<number> {
    try {
      while (!this.isClosed && this.builds.size < (this.options.maxBuilds ?? 1)) {
        const wanted = await this.firstMissing(this.versions.wantedHere());
        const version = wanted ?? (await this.firstMissing(this.versions.missing()));
        if (version === undefined) return this.versions.pauseMs((revision) => this.builds.has(revision));
        if (wanted === undefined && (await this.options.isFirst?.()) === false) return WAIT_MS;
        this.begin(version);
      }
    } catch (err) {
      return this.pauseAfter(err);
    }
    return Number.POSITIVE_INFINITY;
  }

  private begin(version: Version): void {
    const abort = new AbortController();
    const done = this.build(version, abort).then(
      () => this.end(version, 0),
      (err: unknown) => this.end(version, this.pauseAfter(err)),
    );
    this.builds.set(version.revision, { abort, done });
  }

  private end({ revision }: Version, waitMs: number): void {
    this.builds.delete(revision);
    this.lookIn(waitMs);
  }

  private pauseAfter(err: unknown): number {
    this.report('search indexes cannot be built for now; trying again later', undefined, err);
    return MIN_PAUSE_MS;
  }

  /** The first version without an index that is not being built, and has not failed lately. */
  private async firstMissing(versions: Iterable<Version>): Promise<Version | undefined> {
    for (const version of versions) {
      const { revision } = version;
      if (this.builds.has(revision) || !this.versions.isDue(revision)) continue;
      if (!(await this.index.has(revision))) return version;
      this.versions.noteIndexed(revision);
      this.versions.forgetFailure(revision);
    }
    return undefined;
  }

  private async build(version: Version, { signal }: AbortController): Promise<void> {
    const { revision } = version;
    try {
      const site = searchableSite(this.docs, version, this.options.limits);
      const { pages, cut } = await this.index.build(revision, site, signal);
      this.counts.built += 1;
      this.counts.pages += pages;
      this.versions.noteIndexed(revision);
      // Searches may fail to read a rebuilt index, too: then the next pause is longer.
      if (!this.remade.has(revision)) this.versions.forgetFailure(revision);
      if (this.damaged.delete(revision)) this.remade.add(revision);
      const { pagesLeftOut } = site;
      if (pagesLeftOut > 0) {
        const message = 'a version is too large for the search index; search will not find some of its pages';
        this.options.report?.(message, { version: version.directoryName, pagesLeftOut });
      }
      if (cut > 0) {
        const message =
          'pages of a version are too long for the search index; search will not find parts of them';
        this.options.report?.(message, { version: version.directoryName, pages: cut });
      }
    } catch (err) {
      // A version that goes takes the files of its index with it, also those that are being written.
      if (!signal.aborted && this.versions.isPublished(version)) this.fail(version, err);
    }
    // The version may have gone just before the index was there.
    if (!this.versions.isPublished(version)) await this.drop(revision);
  }

  private fail(version: Version, err: unknown): void {
    this.counts.failed += 1;
    const isFirst = this.versions.noteFailure(version.revision);
    if (isFirst) this.report('a version could not be indexed for search; trying again later', version, err);
  }

  private async drop(revision: string): Promise<void> {
    this.versions.forget(revision);
    await this.index.drop(revision).catch((err: unknown) => {
      this.report('could not remove the search index of a removed version', undefined, err);
    });
  }

  private report(message: string, version: Version | undefined, err?: unknown): void {
    const fields = version === undefined ? {} : { version: version.directoryName };
    this.options.report?.(message, err === undefined ? fields : { ...fields, err });
  }
}
