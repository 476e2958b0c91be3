import { crc32, createGunzip } from 'node:zlib';
import { refuse } from '../../domain/refusal/refuse.js';
import type { LinkingPage } from '../../formats/links/linking-page.js';
import { isAbandoned } from '../background/job.js';

/** Bytes that are read of the compressed file at once. */
const CHUNK = 256 * 1024;

/** A line of the file: gzip of lines of JSON. */
export interface LinkedPage extends LinkingPage {
  /** Hashes of its ids, sorted, each 4 bytes in little-endian order, in Base64; absent where other ids may be in it. */
  readonly ids?: string | undefined;
}

/** Line after a page that is not read to its end, or after which no page is read. */
export const CUT = '{"isCut":true}';

export const hashOf = (text: string): number => crc32(text);

/**
 * Yields the pages in a file.
 * @returns whether something of them is not read
 * @throws Error when it is damaged
 */
export async function* pagesIn(file: Uint8Array): AsyncGenerator<LinkedPage, boolean> {
  assertNotEnding();
  const gunzip = createGunzip({ chunkSize: CHUNK });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isCut = false;
  let rest = '';
  gunzip.end(file);
  for await (const chunk of gunzip) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === CUT) isCut = true;
      else yield JSON.parse(line) as LinkedPage;
    }
  }
  if (rest !== '') throw new Error('The file with the links of a version ends within a line');
  return isCut;
}

/** The hashes of ids, as they are in a line. */
export function unpackedIds(ids: string): Uint32Array {
  const bytes = Buffer.from(ids, 'base64');
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(4 * index));
}

/** Node 20 and 24 abort the whole process when a thread ends while it creates a zlib engine. */
export function assertNotEnding(): void {
  if (isAbandoned()) throw refuse.closing();
}
