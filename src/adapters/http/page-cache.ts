import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { DocStore, FoundFile, ReadPage, StoredFile } from '../../application/index.js';
import type { Catalogue, Version } from '../../domain/index.js';
import { preferredEncoding } from './accept-encoding.js';
import { Admission } from './admission.js';
import type { ShortWay } from './ahead-of-koa.js';
import { CachedPage } from './cached-page.js';
import type { Reply } from './reply.js';
import { type Encoding, isCompressible, LEAST_COMPRESSED, typeOf } from './representation.js';
import { pathOf } from './request-log.js';
import { Loan, SpareMemory } from './spare-memory.js';
import { SwitcherTag } from './switcher-tag.js';

export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;
/** Larger files are streamed: one of them would drive hundreds of pages out. */
const LARGEST_PAGE = 1024 * 1024;

/**
 * Pages of uploaded versions, kept in a bounded piece of memory, to be answered with ahead of Koa. A generation never
 * changes, so a page is good as long as its address leads to the same version; the store is asked for that on every
 * request. Everything out of the ordinary is left to the long way.
 */
export class PageCache implements ShortWay {
  private readonly pages: LRUCache<string, CachedPage>;
  private readonly admission: Admission;
  private readonly spare = new SpareMemory();
  /** Answers that came out of memory. */
  hits = 0;
  /** Answers whose file had to be read, also those that are too large to be kept. */
  misses = 0;

  constructor(
    private readonly docs: Pick<DocStore, 'catalogueNow' | 'readNow'>,
    private readonly readPage: Pick<ReadPage, 'locateNow'>,
    private readonly mostBytes = DEFAULT_CACHE_BYTES,
    /** A page is kept as it went out, and is good as long as its project makes the same choice. */
    private readonly switcher = new SwitcherTag(),
  ) {
    this.pages = new LRUCache({
      maxSize: Math.max(mostBytes, 1),
      sizeCalculation: (page) => Math.ceil(page.weight),
    });
    this.admission = new Admission(mostBytes);
  }

  /** Bytes of memory that the pages take now. */
  get bytes(): number {
    return this.pages.calculatedSize;
  }

  replyTo({ url = '', headers }: IncomingMessage): Reply | undefined {
    const path = pathOf(url);
    const wanted = preferredEncoding(headers);
    const kept = this.find(path);
    const reply = kept?.replyTo(headers, wanted);
    if (reply === undefined) return this.readNow(path, headers, wanted, kept);
    this.hits += 1;
    return reply;
  }

  /** Keeps a page that was found on the long way, if it may be kept; gives what is to be sent. */
  async keep(urlPath: string, { project, version, path, file }: FoundFile): Promise<StoredFile> {
    const kept = this.pages.get(urlPath);
    if (kept?.isOf(version, file) && kept.isWhole) {
      this.hits += 1;
      // Kept already, but not in the encoding that was asked for: it makes that once, for all who wait.
      kept.ready ??= file.gzipped;
      await file.close();
      return kept;
    }
    this.misses += 1;
    if (this.mostBytes === 0 || version.origin !== 'upload' || file.size > LARGEST_PAGE) return file;
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.stream()) chunks.push(chunk);
    const seenIn = this.docs.catalogueNow();
    const page = new CachedPage(file, path.toString(), version, seenIn, file.gzipped);
    page.add('identity', Buffer.concat(chunks));
    const isSameChoice = this.hasSwitcher(seenIn, version) === this.switcher.isFor(project);
    if (seenIn?.resolve(addressOf(urlPath)) === version && isSameChoice) {
      this.take(urlPath, page, this.isToBeKept(urlPath));
    }
    return page;
  }

  /**
   * Reads a page, or the form of it that is wanted, ahead of Koa like those that are kept: what costs is the long way,
   * not the disk. The process stands still meanwhile, as one of nginx does. A page with the switcher takes the long
   * way, and so does one that has to be compressed first.
   */
  private readNow(
    urlPath: string,
    headers: IncomingHttpHeaders,
    wanted: Encoding,
    kept: CachedPage | undefined,
  ): Reply | undefined {
    if (this.mostBytes === 0) return undefined;
    const found = this.readPage.locateNow(urlPath);
    if (found === undefined) return undefined;
    const { project, version } = found;
    const name = found.path.toString();
    if (this.switcher.isAddedTo(name, project)) return undefined;
    const gzipFrom = wanted === 'gzip' && isCompressible(typeOf(name)) ? LEAST_COMPRESSED : undefined;
    const isToBeKept = kept !== undefined || this.isToBeKept(urlPath);
    const loan = isToBeKept ? undefined : new Loan(this.spare);
    const allocate = loan?.allocate ?? Buffer.allocUnsafeSlow;
    const file = this.docs.readNow(version, found.path, { most: LARGEST_PAGE, gzipFrom, allocate });
    if (file === undefined) {
      loan?.end();
      return undefined;
    }
    const page = kept?.isOf(version, file)
      ? kept
      : new CachedPage(file, name, version, this.docs.catalogueNow());
    page.add(file.encoding, file.bytes);
    this.take(urlPath, page, isToBeKept);
    this.misses += 1;
    return page.replyTo(headers, wanted, loan?.end);
  }

  /** The page at a path, if it is certain to be current. */
  private find(path: string): CachedPage | undefined {
    const page = this.pages.get(path);
    if (page === undefined) return undefined;
    const catalogue = this.docs.catalogueNow();
    if (catalogue === undefined) return undefined;
    if (catalogue === page.seenIn) return page;
    const isSameChoice =
      this.hasSwitcher(catalogue, page.version) === this.hasSwitcher(page.seenIn, page.version);
    if (catalogue.resolve(addressOf(path)) !== page.version || !isSameChoice) {
      this.pages.delete(path);
      return undefined;
    }
    page.seenIn = catalogue;
    return page;
  }

  private isToBeKept(urlPath: string): boolean {
    return this.admission.isWorthKeeping(urlPath, this.mostBytes - this.bytes);
  }

  private take(urlPath: string, page: CachedPage, isToBeKept: boolean): void {
    this.admission.note(urlPath, page.weight);
    if (isToBeKept) this.pages.set(urlPath, page);
  }

  private hasSwitcher(catalogue: Catalogue | undefined, { project }: Version): boolean {
    return this.switcher.isFor(catalogue?.project(project));
  }
}

/** The first part of a path: a directory name, or an alias. */
function addressOf(urlPath: string): string {
  return decodeURIComponent(urlPath.split('/', 2)[1] ?? '');
}
