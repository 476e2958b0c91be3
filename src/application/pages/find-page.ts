import {
  addressOfPage,
  bytesOfEntry,
  isAscii,
  type Located,
  LruCache,
  MAX_REDIRECTS_BYTES,
  type PageAddress,
  parseRedirects,
  REDIRECTS_FILE,
  type RedirectStatus,
  Redirects,
  type RedirectTarget,
  redirectsTooLarge,
  SitePages,
  SitePath,
  type Version,
  waysAlong,
} from '../../domain/index.js';
import { nextTurn } from '../concurrency.js';
import type { Sites, StoredFile } from '../ports/sites.js';
import { fileAt, textOf } from '../site-files.js';
import { MadeOfSites } from './made-of-sites.js';

/** Max. bytes in memory, of all versions: some 35,000 ordinary rules, or the largest file that there can be. */
const MAX_BYTES = 80_000_000;

/** Max. versions whose files are listed for a name in mixed composition at once. Others are not looked through. */
const MAX_LISTED_AT_ONCE = 2;
/** Max. files of a version that are listed. */
const MAX_FILES = 10_000;
/** Max. weight of all that is in memory: five sites of 10,000 pages, in some 30 MB. */
const MAX_WEIGHT = 8_000_000;
/** Files whose names are taken apart at a time. */
const FILES_AT_A_TIME = 250;

/** A page of a version that is there. */
export interface PresentPage {
  /** File of the page. */
  readonly file: SitePath;
  /** Address inside the site, percent-encoded, without a leading `/`. */
  readonly address: string;
}

/** A page that redirects lead to. */
export interface MovedPage extends PresentPage {
  /** With its `#`; empty without one. */
  readonly fragment: string;
  /** 200: the file is to be shown at the address that was asked for. */
  readonly status: RedirectStatus;
}

/** Finds pages of a version: by other spellings of their address, and by redirects (contract section 7). */
export class FindPage {
  private listing = 0;

  constructor(
    private readonly docs: Pick<Sites, 'open' | 'listFiles'>,
    private readonly rules = new RedirectRules(docs),
    private readonly byName = new PagesByName(docs),
  ) {}

  /**
   * Returns the page in any spelling of site builders, `a.html`, `a`, or `a/`; else the one whose whole name is composed, or
   * decomposed (NFC, NFD).
   */
  async inAnySpelling(version: Version, page: PageAddress): Promise<PresentPage | undefined> {
    const present = await this.asWritten(version, page);
    if (present !== undefined) return present;
    const found: PresentPage[] = [];
    for (const other of page.otherCompositions) {
      const each = await this.asWritten(version, other);
      if (each !== undefined) found.push(each);
    }
    const [first, ...others] = found;
    return others.length === 0 ? first : undefined;
  }

  /**
   * Like `inAnySpelling`, for names of which only some parts are decomposed, among the files that are listed for suggestions.
   * @returns undefined where several differ by composition only, and when many look for such names at once
   */
  async inMixedComposition(version: Version, page: PageAddress): Promise<PresentPage | undefined> {
    if (isAscii(page.toString()) || this.listing >= MAX_LISTED_AT_ONCE) return undefined;
    this.listing += 1;
    try {
      const pages = await this.byName.of(version);
      const paths = page.files.map((file) => pages.inAnyComposition(file.toString()));
      const [path, ...others] = paths.find(({ length }) => length > 0) ?? [];
      const file = path === undefined || others.length > 0 ? undefined : SitePath.of(path);
      return file && { file, address: addressOfPage(file.toString()) };
    } finally {
      this.listing -= 1;
    }
  }

  /** Like `inAnySpelling`, for the composition in which the address is written. */
  private async asWritten(version: Version, page: PageAddress): Promise<PresentPage | undefined> {
    const { path, stem, isDirectory } = page;
    if (!isDirectory && (await this.isFile(version, path))) return { file: path, address: path.toUrl() };
    const index = stem.child('index.html');
    if (await this.isFile(version, index)) return { file: index, address: asDirectory(stem) };
    const html = stem.withSuffix('.html');
    return html !== undefined && (await this.isFile(version, html))
      ? { file: html, address: html.toUrl() }
      : undefined;
  }

  /**
   * Returns the page to which redirects lead from an address without a page: those of the version itself, then those
   * of the latest version, first forward, then back to older names.
   */
  async moved({ version, project }: Located, page: PageAddress): Promise<MovedPage | undefined> {
    const own = await this.rules.of(version);
    const latest = project?.latest;
    const ofLatest =
      latest === undefined || latest.revision === version.revision ? undefined : await this.rules.of(latest);
    return (
      (await this.follow(version, page, (at) => own.from(at))) ??
      (ofLatest && (await this.follow(version, page, (at) => withoutRewrites(ofLatest, at)))) ??
      (await this.follow(version, page, (at) => own.to(at))) ??
      (ofLatest && (await this.follow(version, page, (at) => ofLatest.to(at))))
    );
  }

  /** Follows redirects until a page is there, the shortest way first. */
  private async follow(
    version: Version,
    asked: PageAddress,
    lookUp: (page: PageAddress) => readonly RedirectTarget[],
  ): Promise<MovedPage | undefined> {
    for (const { at, target, first } of waysAlong(asked, lookUp)) {
      // A site may have long chains of rules. Rules that lead to a page at once delay nobody.
      if (first !== undefined) await nextTurn();
      const found = await this.inAnySpelling(version, target.page);
      const { status, fragment } = target;
      // A rule with 200 shows a page at `at`, so a redirect before it leads there.
      const address = status === 200 && first !== undefined ? at.toUrl() : found?.address;
      if (found !== undefined && address !== undefined) {
        return { file: found.file, address, fragment, status: first?.status ?? status };
      }
    }
    return undefined;
  }

  async isFile(version: Version, path: SitePath): Promise<boolean> {
    const entry = await this.docs.open(version, path);
    if (entry?.kind !== 'file') return false;
    await entry.file.close();
    return true;
  }
}

/** The pages and files of versions, to be found by their names or by parts of them. */
export class PagesByName {
  private readonly pages = new MadeOfSites<SitePages>(MAX_WEIGHT, ({ weight }) => weight);

  constructor(private readonly docs: Pick<Sites, 'listFiles'>) {}

  of(version: Version): Promise<SitePages> {
    return this.pages.get(version, '', async () => {
      const { paths } = await this.docs.listFiles(version, MAX_FILES);
      const pages = new SitePages();
      for (const [index, path] of paths.entries()) {
        if (index % FILES_AT_A_TIME === 0) await nextTurn();
        pages.add(path);
      }
      return pages;
    });
  }
}

/** A page shown at every address of the latest version would hide what an older one has to say. */
function withoutRewrites(redirects: Redirects, page: PageAddress): readonly RedirectTarget[] {
  return redirects.from(page).filter(({ status }) => status !== 200);
}

function asDirectory(path: SitePath): string {
  const address = path.toUrl();
  return address === '' ? '' : `${address}/`;
}

/** The redirects of versions, read once for each publication. The least recently used are forgotten first. */
export class RedirectRules {
  private readonly kept = new LruCache<Redirects>(MAX_BYTES, ({ bytes }, key) => bytesOfEntry(key, bytes));

  constructor(private readonly docs: Pick<Sites, 'open'>) {}

  async of(version: Version): Promise<Redirects> {
    // Files of a copied-in directory may change at any time: their ETag is part of the key.
    const known = version.origin === 'upload' ? this.kept.get(version.revision) : undefined;
    if (known !== undefined) return known;
    const file = await fileAt(this.docs, version, REDIRECTS_FILE);
    const key = version.origin === 'upload' ? version.revision : `${version.revision} ${file?.etag ?? ''}`;
    const kept = this.kept.get(key);
    if (kept === undefined) return this.kept.set(key, file === undefined ? Redirects.none : await read(file));
    await file?.close();
    return kept;
  }
}

async function read(file: StoredFile): Promise<Redirects> {
  if (file.size > MAX_REDIRECTS_BYTES) {
    await file.close();
    return redirectsTooLarge();
  }
  return parseRedirects(await textOf(file.stream()));
}
