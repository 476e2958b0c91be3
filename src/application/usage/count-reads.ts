import {
  type Counted,
  dayAfter,
  dayOf,
  isCountedPage,
  isOfReader,
  isPreview,
  type Located,
  lastDays,
  PageAddress,
  type Searcher,
  SitePath,
  UnfoundSearches,
  USAGE_KEPT_DAYS,
  UsageTallies,
  type VersionId,
} from '../../domain/index.js';
import { KeyedMutex } from '../concurrency.js';
import { FindPage } from '../pages/find-page.js';
import type { Catalogues } from '../ports/doc-store.js';
import type { Sites } from '../ports/sites.js';
import type { UsageStore } from '../ports/usage-store.js';

/** Max. days in memory: an earlier one that could not be saved until then is forgotten. */
const MAX_DAYS = 2;
/** Max. addresses whose files are remembered. */
const MAX_KNOWN = 50_000;

/** Use case: counts what readers ask for, and searches in vain, in memory, and saves it from time to time. */
export class CountReads {
  private readonly tallies = new UsageTallies(MAX_DAYS);
  /** Undefined: searches are not counted. */
  private readonly searches: UnfoundSearches | undefined;
  private readonly mutex = new KeyedMutex();
  private isFailing = false;

  constructor(
    private readonly store: Pick<UsageStore, 'write' | 'writeSearches' | 'removeBefore'>,
    /** Name of this process among all that count; see `UsageKey`. */
    private readonly writer: string,
    private readonly report: (message: string, fields: object) => void = () => {},
    digest?: (text: string) => string,
  ) {
    this.searches = digest && new UnfoundSearches(digest);
  }

  /**
   * Counts a search that found nothing.
   * @param client address, or network, of the client
   */
  countUnfound(by: Searcher, query: string, client: string | undefined, now = new Date()): void {
    this.searches?.note(by, query, client ?? '', now);
  }

  /**
   * Counts a request. Previews are not counted.
   * @param path of the file that was read, or of the missing page; undefined for one that no page can have
   */
  count(counted: Counted, version: VersionId, path: string | undefined, now = new Date()): void {
    if (!isPreview(version)) this.tallies.count(counted, version, path, now);
  }

  /** Saves what has changed. Never fails: what cannot be saved is reported once, and tried again the next time. */
  save(now = new Date()): Promise<void> {
    return this.mutex.run('save', () => this.saveAll(now));
  }

  /** Removes counts that are older than they are kept. */
  removeOld(now: Date): Promise<void> {
    return this.store.removeBefore(dayAfter(dayOf(now), 1 - USAGE_KEPT_DAYS));
  }

  private async saveAll(now: Date): Promise<void> {
    let failure: unknown;
    for (const counted of this.tallies.all()) {
      if (counted.isSaved) continue;
      const { project, day, usage } = counted;
      // Before the file is written: what is counted meanwhile is in the next one.
      counted.isSaved = true;
      await this.store.write({ project, day, writer: this.writer }, usage).catch((error: unknown) => {
        counted.isSaved = false;
        failure = error;
      });
    }
    for (const { undo, ...searches } of this.searches?.takeChanged() ?? []) {
      await this.store.writeSearches(this.writer, searches).catch((error: unknown) => {
        undo();
        failure = error;
      });
    }
    this.tallies.forgetSaved(now);
    this.searches?.forgetOld(now);
    if (failure !== undefined && !this.isFailing) {
      this.report('the counts of reads cannot be saved; trying again every minute', { err: failure });
    }
    this.isFailing = failure !== undefined;
  }
}

/** A request in the access log of a web server. */
export interface LoggedRequest {
  readonly time: Date;
  readonly method: string;
  /** Path of the URL as it was sent, without a query. */
  readonly path: string;
  readonly status: number;
  readonly userAgent: string | undefined;
}

/** Requests of a log, by what became of them. */
export interface LoggedReads {
  readonly reads: number;
  readonly misses: number;
  /** Requests that do not count: of robots, for other files, for what is not there any more, too old. */
  readonly others: number;
}

/** Use case: counts what the access log of a web server says was read. */
export class CountLoggedReads {
  /** Paths of files by version and address; undefined where there is none. */
  private readonly known = new Map<string, string | undefined>();

  constructor(
    private readonly docs: Catalogues & Sites,
    private readonly store: Pick<UsageStore, 'write'>,
    private readonly pages = new FindPage(docs),
  ) {}

  /**
   * Counts the requests of a log, and replaces what was counted from the same log before.
   * @param writer name of the log; see `UsageKey`
   * @throws what `UsageStore.write` and the log throw; nothing is written until the log has been read
   */
  async execute(
    requests: AsyncIterable<LoggedRequest>,
    writer: string,
    now = new Date(),
  ): Promise<LoggedReads> {
    const tallies = new UsageTallies(USAGE_KEPT_DAYS + 1);
    const days = lastDays(USAGE_KEPT_DAYS, now);
    const sums = { reads: 0, misses: 0, others: 0 };
    for await (const request of requests) {
      const day = dayOf(request.time);
      const found = day < days.from || day > days.to ? undefined : await this.counted(request);
      if (found === undefined) sums.others += 1;
      else {
        sums[found.counted] += 1;
        tallies.count(found.counted, found.version, found.path, request.time);
      }
    }
    for (const { project, day, usage } of tallies.all())
      await this.store.write({ project, day, writer }, usage);
    return sums;
  }

  private async counted(request: LoggedRequest) {
    const { status, path } = request;
    if (![200, 304, 404].includes(status) || !isOfReader(request)) return undefined;
    const [, first = '', rest] = /^\/([^/]*)\/(.*)$/s.exec(path) ?? [];
    const site = this.docs.catalogue().locate(SitePath.fromUrl(first)?.toString() ?? '');
    if (site === undefined || rest === undefined || isPreview(site.version)) return undefined;
    const { version } = site;
    const asked = PageAddress.fromUrl(rest);
    if (status === 404) return { counted: 'misses' as const, version, path: asked?.toString() };
    const file = asked && (await this.fileAt(site, asked));
    return file === undefined || !isCountedPage(file)
      ? undefined
      : { counted: 'reads' as const, version, path: file };
  }

  private async fileAt({ version }: Located, asked: PageAddress): Promise<string | undefined> {
    const key = `${version.revision} ${asked}`;
    if (this.known.has(key)) return this.known.get(key);
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    const file = (await this.pages.inAnySpelling(version, asked))?.file.toString();
    this.known.set(key, file);
    return file;
  }
}
