import type { IndexedFile } from './archive-index.js';

/** Header of a gzip member (RFC 1952 section 2.3): deflate, no flags, no time, unknown system. */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

export const GZIP_TRAILER_BYTES = 8;

/** Returns the trailer of a gzip member: the CRC-32 of the content, and its size modulo 4 GiB. */
export function gzipTrailerOf({ size, crc32 }: Pick<IndexedFile, 'size' | 'crc32'>): Uint8Array {
  const trailer = new DataView(new ArrayBuffer(GZIP_TRAILER_BYTES));
  trailer.setUint32(0, crc32, true);
  trailer.setUint32(4, size % 2 ** 32, true);
  return new Uint8Array(trailer.buffer);
}
