import {
  addressOfPage,
  type CommonPage,
  isComparedPage,
  type Located,
  matchPages,
  movedPages,
  PageAddress,
  type Project,
  Refusal,
  redirectLine,
  refuse,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { FairLimit, SharedWork, within } from '../concurrency.js';
import { readWhole } from '../page-batches.js';
import { FindPage } from '../pages/find-page.js';
import type { PageComparison, PageDifference } from '../ports/page-comparison.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { ChangedWords, type WordCounts } from './changed-words.js';
import { PageDigests } from './page-digests.js';

/** Limit on comparisons of versions, and on those of pages. */
const COMPARISONS = { running: 4, waiting: 32, refusal: refuse.comparisonBusy };
/** Limit on lists of pages whose redirects are looked up. */
const LISTS = { ...COMPARISONS, running: 1 };
/** Wait for counts of changed words, in milliseconds. A list is complete without them. */
const MAX_COUNTING_MS = 3_000;
/** Max. files of a copied-in directory that are looked at. */
const MAX_COPIED_FILES = 20_000;

/** Two versions of a project, by their labels, aliases, or `~<name>` for a preview; `latest` means the latest one. */
export interface ComparedLabels {
  readonly project: string;
  readonly before: string;
  readonly after: string;
}

interface Compared {
  readonly project: Project;
  readonly before: Version;
  readonly after: Version;
}

/** The pages in which two versions differ. */
export interface VersionComparison extends Compared {
  /** Paths, sorted; those of `removed` are paths in `before`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Pages that say something else. */
  readonly changed: readonly CommonPage[];
  /** Number of pages that say the same in both. */
  readonly unchanged: number;
  /** The added page that a removed one seems to have become. */
  readonly moved: ReadonlyMap<string, string>;
  /** Whether a version has more files than are looked at. */
  readonly isCut: boolean;
}

/** A page that the later version lacks, and where the later version leads its readers. */
interface RemovedPage {
  readonly path: string;
  /** Title in the earlier version; empty where it is not known. */
  readonly title: string;
  /** Path of the page to which the later version redirects it. */
  readonly redirectedTo?: string;
  /** A line for `_redirects` that would lead to the page that it seems to have become. */
  readonly proposedRedirect?: string;
}

type LostPage = Omit<RemovedPage, 'title'>;

/** A part of each list of a comparison. */
export interface ComparisonPart extends Pick<VersionComparison, 'added' | 'changed'> {
  readonly removed: readonly RemovedPage[];
  /** Titles of changed and added pages by their paths in the later version, those that are known. */
  readonly titles: ReadonlyMap<string, string>;
  /** Whether a list has more pages after these. */
  readonly more: boolean;
}

/** Comparison of a page in two versions. */
export interface ComparedPage extends PageDifference, Compared {
  /** Path of the page in each version. */
  readonly paths: CommonPage;
}

/** `/-/compare/<project>/<version>/<version>`: the pages in which two versions differ. */
export interface ComparisonModel {
  readonly comparison: VersionComparison;
  /** The pages to show. */
  readonly part: ComparisonPart;
  /** Counts of changed words by path in the later version, those that are known. */
  readonly words: ReadonlyMap<string, WordCounts>;
  /** Number of pages of each list that come before these. */
  readonly offset: number;
}

/** `/-/compare/<project>/<version>/<version>/<page>`: the text of a page in both. */
export interface ComparedPageModel {
  readonly compared: ComparedPage;
  /** Whether the later page itself is shown, beside its changes, in place of its text. */
  readonly isBesidePage: boolean;
}

/** Use case: compares the pages of two versions. */
export class CompareVersions {
  private readonly digests: PageDigests;
  private readonly words: ChangedWords;
  private readonly running = new SharedWork<VersionComparison>();
  private readonly comparisons = new FairLimit(COMPARISONS);
  private readonly comparedPages = new FairLimit(COMPARISONS);
  private readonly lists = new FairLimit(LISTS);

  constructor(
    private readonly docs: Sites,
    private readonly comparison: PageComparison,
    private readonly pages = new FindPage(docs),
  ) {
    this.digests = new PageDigests(docs, comparison);
    this.words = new ChangedWords(docs, comparison);
  }

  /**
   * Compares all pages. The first time for a version, its pages have to be read: seconds for thousands of them.
   * @param waiter the comparison goes on without it once its turn has come
   * @throws Refusal `project_not_found`, `version_not_found`, `preview_not_found`, or `unavailable` when too many wait
   */
  async execute(
    seen: VisibleCatalogue,
    labels: ComparedLabels,
    { address, signal }: Waiter = {},
  ): Promise<VersionComparison> {
    const found = locate(seen, labels);
    const key = `${found.before.revision} ${found.after.revision}`;
    return this.running.of(key, signal, (stillAsked) =>
      this.comparisons.run(() => this.compare(found, { address }), { address, signal: stillAsked }),
    );
  }

  /**
   * Compares what one page says.
   * @param page its path in either version, percent-encoded, in any spelling
   * @returns undefined when the page isn't in both, not even under another name that redirects know
   * @throws as `execute`
   */
  async page(
    seen: VisibleCatalogue,
    labels: ComparedLabels,
    page: string,
    waiter?: Waiter,
  ): Promise<ComparedPage | undefined> {
    const found = locate(seen, labels);
    const address = PageAddress.fromUrl(page);
    if (address === undefined) return undefined;
    return this.comparedPages.run(async () => {
      const { project, before, after } = found;
      const old = await this.pathIn({ project, version: before }, address);
      const now = await this.pathIn({ project, version: after }, address);
      if (old === undefined || now === undefined) return undefined;
      const oldPage = await readWhole(this.docs, before, old);
      const newPage = await readWhole(this.docs, after, now);
      if (oldPage === undefined || newPage === undefined) return undefined;
      const difference = await this.comparison.difference(oldPage, newPage, waiter);
      return { ...found, ...difference, paths: { before: old, after: now } };
    }, waiter);
  }

  /**
   * Returns `max` pages of each list from `offset` on, with what becomes of removed ones. Their redirects may lead along
   * many files, so they are looked up for one list after the other.
   * @throws Refusal `unavailable` when too many wait
   */
  async part(
    comparison: VersionComparison,
    offset: number,
    max: number,
    waiter?: Waiter,
  ): Promise<ComparisonPart> {
    const end = offset + max;
    const { added, removed, changed } = comparison;
    const lost = removed.slice(offset, end);
    const lookUp = async () => {
      const pages: LostPage[] = [];
      for (const path of lost) pages.push(await this.lostPage(comparison, path));
      return pages;
    };
    const gone = lost.length === 0 ? [] : await this.lists.run(lookUp, waiter);
    const shown = { added: added.slice(offset, end), changed: changed.slice(offset, end) };
    const paths = [...shown.changed.map((page) => page.after), ...shown.added];
    const titles = await this.titles(comparison.after, paths, waiter);
    const oldTitles = await this.titles(comparison.before, lost, waiter);
    return {
      ...shown,
      removed: gone.map((page) => ({ ...page, title: oldTitles.get(page.path) ?? '' })),
      titles,
      more: Math.max(added.length, removed.length, changed.length) > end,
    };
  }

  /** Returns the counts of changed words in these pages, as far as they are known in a few seconds; none on a busy server. */
  async changedWords(
    { before, after }: VersionComparison,
    pages: readonly CommonPage[],
    waiter?: Waiter,
  ): Promise<ReadonlyMap<string, WordCounts>> {
    // Pages of a copied-in directory may change at any time.
    if (pages.length === 0 || before.origin === 'copied' || after.origin === 'copied') return new Map();
    const counting = this.comparedPages.run(() => this.words.of({ before, after }, pages, waiter), waiter);
    const counts = await within(MAX_COUNTING_MS, counting).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'unavailable') return undefined;
      throw error;
    });
    return counts ?? new Map();
  }

  /** Pages of a copied-in directory would be read again for each list: those have none. */
  private async titles(
    version: Version,
    paths: readonly string[],
    waiter?: Waiter,
  ): Promise<ReadonlyMap<string, string>> {
    if (version.origin === 'copied') return new Map();
    const digests = await this.digests.of(version, paths, waiter && { address: waiter.address });
    return new Map(paths.map((path) => [path, digests.get(path)?.title ?? '']));
  }

  private async lostPage({ project, after, moved }: VersionComparison, path: string): Promise<LostPage> {
    const address = PageAddress.of(path);
    const redirected = address && (await this.pages.moved({ project, version: after }, address));
    if (redirected !== undefined) return { path, redirectedTo: redirected.file.toString() };
    const target = moved.get(path);
    const line = target === undefined ? undefined : redirectLine(addressOfPage(path), target);
    return line === undefined ? { path } : { path, proposedRedirect: line };
  }

  private async compare(found: Compared, waiter: Waiter): Promise<VersionComparison> {
    const { before, after } = found;
    const old = await this.filesOf(before);
    const now = await this.filesOf(after);
    const { common, added, removed } = matchPages(old.paths, now.paths);
    // Equal check sums prove that a page is the same without reading it.
    const differing = common.filter((page) => {
      const checksum = old.checksums?.get(page.before);
      return checksum === undefined || checksum !== now.checksums?.get(page.after);
    });
    const isOther = removed.length > 0 && added.length > 0;
    const oldPaths = [...differing.map((page) => page.before), ...(isOther ? removed : [])];
    const oldDigests = await this.digests.of(before, oldPaths, waiter);
    const newPaths = [...differing.map((page) => page.after), ...(isOther ? added : [])];
    const newDigests = await this.digests.of(after, newPaths, waiter);
    const changed = differing.filter((page) => {
      const hash = oldDigests.get(page.before)?.hash;
      return hash === '' || hash !== newDigests.get(page.after)?.hash;
    });
    const moved = movedPages(
      { added, removed },
      { before: (path) => oldDigests.get(path)?.hash, after: (path) => newDigests.get(path)?.hash },
    );
    const unchanged = common.length - changed.length;
    return { ...found, added, removed, changed, unchanged, moved, isCut: old.more || now.more };
  }

  private async filesOf(version: Version) {
    const checksums = await this.docs.checksums(version);
    if (checksums !== undefined)
      return { paths: [...checksums.keys()].filter(isComparedPage), checksums, more: false };
    const { paths, more } = await this.docs.listFiles(version, MAX_COPIED_FILES);
    return { paths, more };
  }

  private async pathIn(site: Located, address: PageAddress): Promise<string | undefined> {
    const present = await this.pages.inAnySpelling(site.version, address);
    const found = present ?? (await this.pages.moved(site, address));
    return found?.file.toString();
  }
}

function locate(seen: VisibleCatalogue, { project: name, before, after }: ComparedLabels) {
  const project = seen.project(name);
  if (project === undefined) throw refuse.projectNotFound(name);
  const versionOf = (label: string) => {
    const version = seen.named(name, label)?.version;
    if (version === undefined) throw seen.whyNotNamed(name, label);
    return version;
  };
  return { project, before: versionOf(before), after: versionOf(after) };
}
