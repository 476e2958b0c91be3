import { GZIP_HEADER, gzipTrailerOf } from '../../application/gzip-member.js';
import type { ArchiveEntry } from './archive-entry.js';
import { type ArchiveReader, READ_AHEAD } from './archive-reader.js';
import { METHOD } from './header-fields.js';

/** A compressed form that saves less than this part of a file is not worth a second look at the archive. */
const LEAST_SAVED = 0.1;
/** Of three sites, a sixth of the files and fewer are as large, and half of what compressing saves is saved with them. */
const LEAST_BYTES = 32 * 1024;
const CHUNK = READ_AHEAD.content;

/** Whether the archive holds a file in a form that is worth sending. */
export function isWorthSending({ method, compressedSize, size }: ArchiveEntry): boolean {
  return method === METHOD.deflated && compressedSize < (1 - LEAST_SAVED) * size;
}

/** Whether the compressed form of a file is worth a file of its own. */
export function isWorthAFile(entry: ArchiveEntry): boolean {
  return entry.kind === 'file' && entry.size >= LEAST_BYTES && isWorthSending(entry);
}

/** Where the compressed form of a file stands, below a directory of its own. */
export const gzipPathOf = (path: string): string => `${path}.gz`;

/**
 * The compressed form of a file, made of what the archive holds: nothing is compressed (RFC 1952). Each piece holds
 * until the next one is asked for.
 */
export function* gzipOf(archive: ArchiveReader, entry: ArchiveEntry): Generator<Uint8Array> {
  yield GZIP_HEADER;
  const { dataOffset, compressedSize } = entry;
  for (let done = 0; done < compressedSize; done += CHUNK) {
    yield archive.slice(dataOffset + done, Math.min(CHUNK, compressedSize - done));
  }
  yield gzipTrailerOf(entry);
}
