import type { ArchiveContent, DrawnPages, FoundLinks } from '../../../application/ports/archives.js';
import {
  DOCINFO_FILES,
  type Download,
  describeProblems,
  docinfoTooLarge,
  downloadsIn,
  type FrontPage,
  isPage,
  MAX_DOCINFO_BYTES,
  MAX_DOWNLOADS,
  MAX_REDIRECTS_BYTES,
  MISSING_PAGE,
  parseRedirects,
  REDIRECTS_FILE,
  redirectsTooLarge,
} from '../../../domain/index.js';
import { drawnSiteOf } from '../../../formats/drawn/drawn-site.js';
import { decodePage } from '../../../formats/html/charset.js';
import { frontPageOf, linkedDownloads } from '../../../formats/html/front-page.js';
import {
  type MissingAssets,
  missingAssetsOf,
  type PageOfSite,
  pageLinksOf,
  type SomePaths,
} from '../../../formats/html/page-links.js';
import { READING_LIMITS } from '../../../formats/html/reading-limits.js';
import { rootedLinksOf } from '../../../formats/html/rooted-links.js';
import { WorkTime } from '../../../formats/work-time.js';
import type { ArchiveEntry } from '../reading/archive-entry.js';
import type { CheckedArchive } from '../reading/checked-archive.js';
import type { Sink } from './content.js';
import { SiteCharsets } from './site-charsets.js';
import { SiteLinks } from './site-links.js';

const FRONT_PAGE = 'index.html';
const FALLBACK = '200.html';
/** Pages that are looked at, besides the front page. */
const MAX_PAGES = 10;
/** Larger pages are not looked at. */
const MAX_PAGE_BYTES = 256 * 1024;
/** Pages that a warning names. */
const MAX_NAMED = 3;
/** The fields of a docinfo that name files, or an escape sequence, which may be part of these words. */
const MAY_NAME_FILES = /downloads|logo|\\/;
/** Time for the links of all these pages. */
const MAX_LINKS_MS = 2_000;

/** Findings of a worker in a site. */
export interface FoundContent extends ArchiveContent {
  /** The main thread parses it. */
  readonly docinfoFile?: { readonly name: string; readonly text: string } | undefined;
  /** Bytes of all files of the site by path, where its docinfo may name some. */
  readonly sizes?: ReadonlyMap<string, number> | undefined;
}

/** Facts about a site: from its list of files, and from a few files that are kept while its content is read. */
export class SiteFacts {
  private readonly docinfo: ArchiveEntry | undefined;
  private readonly redirects: ArchiveEntry | undefined;
  private readonly pages: readonly ArchiveEntry[];
  private readonly missingPage: ArchiveEntry | undefined;
  private readonly kept: ReadonlyMap<ArchiveEntry, Buffer[]>;
  private readonly charsets = new SiteCharsets();
  /** Undefined: links are not read. */
  private readonly links: SiteLinks | undefined;
  /** Keyed by path in the archive. */
  private readonly files: ReadonlyMap<string, ArchiveEntry>;

  constructor(
    private readonly archive: CheckedArchive,
    readsLinks = false,
  ) {
    this.links = readsLinks ? new SiteLinks() : undefined;
    this.files = new Map(archive.files.map((file) => [file.path, file]));
    this.docinfo = DOCINFO_FILES.map((name) => this.at(name)).find((file) => file !== undefined);
    this.redirects = this.at(REDIRECTS_FILE);
    this.pages = this.sampleOfPages();
    this.missingPage = this.at(MISSING_PAGE);
    const small = [
      ...(isWithin(this.docinfo, MAX_DOCINFO_BYTES) ? [this.docinfo] : []),
      ...(isWithin(this.redirects, MAX_REDIRECTS_BYTES) ? [this.redirects] : []),
      ...(isWithin(this.missingPage, MAX_PAGE_BYTES) ? [this.missingPage] : []),
    ];
    this.kept = new Map([...small, ...this.pages].map((entry) => [entry, []]));
  }

  /** A sink that also keeps the content if a fact is found in the entry, and finds charset and links. Content comes entry by entry. */
  keeping(entry: ArchiveEntry, sink: Sink): Sink {
    if (entry.kind !== 'file') return sink;
    const path = entry.path.slice(this.archive.top.length);
    const linked = this.links === undefined ? sink : this.links.watching(path, sink);
    const watched = this.charsets.watching(path, linked);
    const kept = this.kept.get(entry);
    if (kept === undefined) return watched;
    return (bytes) => {
      kept.push(Buffer.from(bytes));
      watched(bytes);
    };
  }

  /** Charsets of text files besides UTF-8, by path in the site. Call it once all content has been read. */
  charsetsByPath(): ReadonlyMap<string, string> {
    return this.charsets.found();
  }

  /** Returns all findings. Call it once all content has been read. */
  async found(): Promise<FoundContent> {
    const { files } = this.archive;
    const checkedLinks = await this.checkedLinks();
    const frontPage = this.frontPage();
    const downloads = this.linkedDownloads();
    const links = this.linkProblems();
    const { rootedLinks, missingPageLinks } = links;
    const charsets = [...new Set(this.charsetsByPath().values())].sort();
    return {
      facts: {
        site: { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) },
        ...(frontPage !== undefined && { frontPage }),
        ...(downloads.length > 0 && { downloads }),
        ...(rootedLinks !== undefined && { base: rootedLinks.base }),
        ...(missingPageLinks !== undefined && { missingPageBase: missingPageLinks.base }),
        ...(charsets.length > 0 && { charsets }),
      },
      longPages: this.longPages(),
      refusedCharsets: this.charsets.refused(),
      hasIndex: this.at(FRONT_PAGE) !== undefined,
      ...this.docinfoFile(),
      redirectProblems: this.redirectProblems(),
      ...links,
      ...(checkedLinks !== undefined && { links: checkedLinks }),
    };
  }

  private async checkedLinks(): Promise<FoundLinks | undefined> {
    const { files, top } = this.archive;
    const redirects = this.redirects && this.textOf(this.redirects);
    return this.links?.found(
      files.map(({ path }) => path.slice(top.length)),
      redirects ?? '',
    );
  }

  private longPages(): SomePaths | undefined {
    const { files, top } = this.archive;
    const long = files.filter(({ path, size }) => size > READING_LIMITS.bytes && isPage(path));
    if (long.length === 0) return undefined;
    return { first: long.slice(0, MAX_NAMED).map(({ path }) => path.slice(top.length)), count: long.length };
  }

  private frontPage(): FrontPage | undefined {
    const page = this.at(FRONT_PAGE);
    const html = page && this.textOf(page);
    return html === undefined ? undefined : frontPageOf(html, this.hasFile);
  }

  private linkedDownloads(): readonly Download[] {
    const page = this.at(FRONT_PAGE);
    const named = linkedDownloads((page && this.textOf(page)) ?? '');
    return downloadsIn(named, (file) => this.at(file)?.size).downloads.slice(0, MAX_DOWNLOADS);
  }

  private docinfoFile(): Pick<FoundContent, 'docinfoFile' | 'sizes' | 'docinfoProblem'> {
    if (this.docinfo === undefined) return {};
    const name = this.docinfo.path.slice(this.archive.top.length);
    const text = this.textOf(this.docinfo);
    if (text === undefined) return { docinfoProblem: `${name} ${docinfoTooLarge}` };
    const docinfoFile = { name, text };
    if (!MAY_NAME_FILES.test(text)) return { docinfoFile };
    const { files, top } = this.archive;
    return { docinfoFile, sizes: new Map(files.map(({ path, size }) => [path.slice(top.length), size])) };
  }

  private redirectProblems(): string | undefined {
    if (this.redirects === undefined) return undefined;
    const text = this.textOf(this.redirects);
    return describeProblems(text === undefined ? redirectsTooLarge() : parseRedirects(text));
  }

  private linkProblems(): Pick<FoundContent, 'rootedLinks' | 'missingPageLinks' | 'drawn'> & MissingAssets {
    const { top } = this.archive;
    const time = new WorkTime(MAX_LINKS_MS);
    const linksOf = (page: ArchiveEntry) => ({
      path: page.path.slice(top.length),
      ...pageLinksOf(this.textOf(page) ?? '', time),
    });
    const pages = this.pages.map(linksOf);
    const { missingPage } = this;
    return {
      rootedLinks: rootedLinksOf(pages, this.hasFile),
      missingPageLinks: missingPage && rootedLinksOf([linksOf(missingPage)], this.hasFile),
      ...missingAssetsOf(pages, this.hasFile),
      drawn: this.drawnPagesOf(pages),
    };
  }

  /** Pages that scripts draw, unless most pages have text of their own, or it can be read in other files. */
  private drawnPagesOf(pages: readonly PageOfSite[]): DrawnPages | undefined {
    // Nuxt and others write a page without content for hosts that show it at any address.
    const content = pages.filter(({ path }) => path !== FALLBACK);
    const count = content.filter(({ isDrawn }) => isDrawn).length;
    if (2 * count <= content.length) return undefined;
    const front = this.at(FRONT_PAGE);
    const html = front && this.textOf(front);
    return html !== undefined && drawnSiteOf(html, this.hasFile) !== undefined
      ? undefined
      : { count, of: content.length };
  }

  /** The front page, and some pages from all over the site. */
  private sampleOfPages(): ArchiveEntry[] {
    const { files, top } = this.archive;
    // MkDocs and others write 404.html for the root of a host, whatever they do in all other pages.
    const pages = files.filter(
      (page) => isPage(page.path) && isWithin(page, MAX_PAGE_BYTES) && page.path !== top + MISSING_PAGE,
    );
    const step = Math.max(1, pages.length / MAX_PAGES);
    return pages.filter(({ path }, at) => path === top + FRONT_PAGE || Math.floor(at % step) === 0);
  }

  /** The file of the site at a path. */
  private at(path: string): ArchiveEntry | undefined {
    return this.files.get(this.archive.top + path);
  }

  private readonly hasFile = (path: string) => this.at(path) !== undefined;

  /** The text of a file; undefined when it is not kept. */
  private textOf(entry: ArchiveEntry): string | undefined {
    const kept = this.kept.get(entry);
    if (kept === undefined) return undefined;
    const bytes = Buffer.concat(kept);
    return isPage(entry.path) ? decodePage(bytes) : new TextDecoder().decode(bytes);
  }
}

function isWithin(entry: ArchiveEntry | undefined, maxBytes: number): entry is ArchiveEntry {
  return entry !== undefined && entry.size <= maxBytes;
}
