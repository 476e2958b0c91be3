import { type FileHandle, open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { EncodedFile } from '../../../application/index.js';
import {
  ArchiveIndex,
  GZIP_HEADER,
  GZIP_TRAILER_BYTES,
  gzipTrailerOf,
  type IndexedFile,
} from '../../../formats/index.js';
import { NOTHING_THERE, unless } from '../disk.js';
import type { Generation } from '../layout.js';
import { readAt } from './stored-file.js';

/** Max. files in the cached indexes: some 110 bytes each, so 20 MB. */
const MAX_FILES = 200_000;
/** Min. share of a file's size that its deflated form must save to be worth opening the archive. */
const MIN_SAVED = 0.1;
const EMPTY = ArchiveIndex.of([]);

/** Gzip encodings of files that their archive holds deflated: its data between a gzip header and trailer. */
export class DeflatedContent {
  /** By generation directory. */
  private readonly indexes = new LRUCache<string, ArchiveIndex>({
    maxSize: MAX_FILES,
    sizeCalculation: ({ size }) => 1 + size,
  });

  /** @returns undefined when the archive holds the file in another form, or cannot be read */
  async open(generation: Generation, path: string): Promise<EncodedFile | undefined> {
    try {
      const file = deflatedIn(await this.indexOf(generation), path);
      return file && new GzipFile(await open(generation.archive), file);
    } catch {
      // Archive gone, or no descriptors left: the caller compresses the file itself.
      return undefined;
    }
  }

  private async indexOf({ directory, index }: Generation): Promise<ArchiveIndex> {
    const known = this.indexes.get(directory);
    if (known !== undefined) return known;
    const text = await unless(NOTHING_THERE, readFile(index, 'utf8'));
    const read = (text && ArchiveIndex.parse(text)) || EMPTY;
    this.indexes.set(directory, read);
    return read;
  }
}

/** The entry of a file whose deflated form is worth sending as gzip. */
function deflatedIn(index: ArchiveIndex | undefined, path: string): IndexedFile | undefined {
  const file = index?.find(path);
  const isWorthIt = file?.method === 'deflated' && file.compressedSize < (1 - MIN_SAVED) * file.size;
  return isWorthIt ? file : undefined;
}

const CHUNK_BYTES = 256 * 1024;

/** A gzip member whose data is read from an archive. */
class GzipFile extends Readable implements EncodedFile {
  readonly size: number;
  /** Bytes of the data read so far. */
  private done = 0;

  constructor(
    private readonly archive: FileHandle,
    private readonly file: IndexedFile,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.size = GZIP_HEADER.length + file.compressedSize + GZIP_TRAILER_BYTES;
  }

  stream(): this {
    return this;
  }

  async close(): Promise<void> {
    this.destroy();
  }

  override _read(): void {
    this.nextPiece().then(
      (piece) => this.push(piece),
      (error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.archive.close().then(() => done(error), done);
  }

  /** The next chunk; null at the end. The first one begins with the header, the last one ends with the trailer. */
  private async nextPiece(): Promise<Buffer | null> {
    const { offset, compressedSize: length } = this.file;
    const header = this.done === 0 ? GZIP_HEADER : Buffer.alloc(0);
    const wanted = Math.min(CHUNK_BYTES, length - this.done);
    if (wanted === 0) return null;
    const data = await readAt(this.archive, offset + this.done, wanted);
    if (data.length < wanted) throw new Error('The archive ends before the data of a file does');
    this.done += wanted;
    if (this.done < length) return Buffer.concat([header, data]);
    return Buffer.concat([header, data, gzipTrailerOf(this.file)]);
  }
}
