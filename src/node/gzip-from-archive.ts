import type { ByteRange, EncodedFile } from '../application/ports/sites.js';
import { GZIP_HEADER, GZIP_TRAILER_BYTES, gzipTrailerOf, type IndexedFile } from '../formats/index.js';

/** Min. share of a file's size that its deflated form must save to be worth sending. */
const MIN_SAVED = 0.1;

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
