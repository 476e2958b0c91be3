import type { ByteRange, EncodedFile } from '../application/ports/sites.js';
import { bytesOfEntry, LruCache } from '../domain/index.js';
import type { ArchiveIndex, IndexedFile } from '../formats/index.js';

/** Max. bytes of the cached indexes: some 250,000 files. */
const MAX_BYTES = 25_000_000;
/** Min. share of a file's size that its deflated form must save to be worth sending. */
const MIN_SAVED = 0.1;
/** Header of a gzip member (RFC 1952 section 2.3): deflate, no flags, no time, unknown system. */
const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
const GZIP_TRAILER_BYTES = 8;

/** Cache of the indexes of archives. */
export function archiveIndexes(): LruCache<ArchiveIndex> {
  return new LruCache(MAX_BYTES, ({ bytes }, key) => bytesOfEntry(key, bytes));
}

/** Whether the form in which an archive holds a file is worth sending as gzip. */
export function isWorthSending({ method, compressedSize, size }: IndexedFile): boolean {
  return method === 'deflated' && compressedSize < (1 - MIN_SAVED) * size;
}

/** The gzip member of a file that its archive holds deflated: its data between a header and a trailer. */
export class GzipFromArchive implements EncodedFile {
  readonly size: number;

  constructor(
    private readonly file: IndexedFile,
    /** Returns a range of the archive's bytes. */
    private readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>,
    readonly distrust: () => void,
    /** Closes the archive. */
    readonly close: () => Promise<void> = async () => {},
  ) {
    this.size = GZIP_HEADER.length + file.compressedSize + GZIP_TRAILER_BYTES;
  }

  async *stream(): AsyncIterable<Uint8Array> {
    const { offset, compressedSize } = this.file;
    try {
      yield GZIP_HEADER;
      yield* this.read({ start: offset, end: offset + compressedSize - 1 });
      yield gzipTrailerOf(this.file);
    } finally {
      await this.close();
    }
  }
}

/** Returns the trailer of a gzip member: the CRC-32 of the content, and its size modulo 4 GiB. */
function gzipTrailerOf({ size, crc32 }: Pick<IndexedFile, 'size' | 'crc32'>): Uint8Array {
  const trailer = new DataView(new ArrayBuffer(GZIP_TRAILER_BYTES));
  trailer.setUint32(0, crc32, true);
  trailer.setUint32(4, size % 2 ** 32, true);
  return new Uint8Array(trailer.buffer);
}
