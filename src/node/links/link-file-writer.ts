import { gzipSync } from 'node:zlib';
import type { LinkBudget, ReadLinks } from '../../application/ports/link-checking.js';
import { decodePage } from '../../formats/html/charset.js';
import { parsingMsFor, READING_LIMITS } from '../../formats/html/reading-limits.js';
import { linksOf } from '../../formats/links/read-links.js';
import { WorkTime } from '../../formats/work-time.js';
import { assertNotEnding, CUT, hashOf, type LinkedPage } from './link-file.js';

/** Characters that are compressed at once. */
const PIECE = 1_000_000;

/** Reads pages, one after the other, and writes what they link to: gzip of lines of JSON, compressed as it goes. */
export class LinkFileWriter {
  /** Sorted hashes of all ids of the pages that are read, by path; none where there may be others. */
  readonly idsByPath = new Map<string, Uint32Array>();
  private readonly pieces: Buffer[] = [];
  private text = '';
  private links: number;
  private ids: number;
  private bytes: number;
  private milliseconds: number;
  private isCut = false;

  constructor({ links, ids, bytes, milliseconds }: LinkBudget) {
    this.links = links;
    this.ids = ids;
    this.bytes = bytes;
    this.milliseconds = milliseconds;
  }

  /** @param page its bytes, or the first of them where it has more than `READING_LIMITS.bytes` */
  add(path: string, page: Uint8Array): void {
    if (this.isCut) return;
    const time = new WorkTime(Math.min(parsingMsFor(READING_LIMITS, page.length), this.milliseconds));
    const html = decodePage(page.subarray(0, READING_LIMITS.bytes));
    const { links, ids, base, hasOtherIds } = linksOf(html, time);
    const isWhole = page.length <= READING_LIMITS.bytes;
    const hasAllIds = !hasOtherIds && isWhole;
    const hashes = hasAllIds ? Uint32Array.from(ids, hashOf).sort() : undefined;
    if (hashes !== undefined) this.idsByPath.set(path, hashes);
    const line: LinkedPage = { path, base, ids: hashes && packed(hashes), links };
    this.write(`${JSON.stringify(line)}\n`);
    this.milliseconds -= time.used;
    this.links -= links.length;
    this.ids -= ids.size;
    this.isCut = Math.min(this.links, this.ids, this.bytes, this.milliseconds) < 0;
    if (this.isCut || !isWhole) this.text += `${CUT}\n`;
  }

  end(): ReadLinks {
    this.compress();
    const { links, ids, bytes, milliseconds, isCut } = this;
    return { file: Buffer.concat(this.pieces), left: { links, ids, bytes, milliseconds }, isCut };
  }

  private write(line: string): void {
    this.text += line;
    this.bytes -= line.length;
    if (this.text.length >= PIECE) this.compress();
  }

  private compress(): void {
    assertNotEnding();
    this.pieces.push(gzipSync(this.text));
    this.text = '';
  }
}

function packed(hashes: Uint32Array): string {
  const bytes = Buffer.alloc(4 * hashes.length);
  for (const [index, hash] of hashes.entries()) bytes.writeUInt32LE(hash, 4 * index);
  return bytes.toString('base64');
}
