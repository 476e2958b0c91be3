import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import {
  type Allocate,
  type DeflatedFile,
  DeflatedFiles,
  type EncodedFile,
  GZIP_HEADER,
  GZIP_TRAILER_BYTES,
  gzipTrailerOf,
} from '../../application/index.js';
import { NOTHING_THERE, unless } from './disk.js';
import type { Generation } from './layout.js';
import { readAt, readNow } from './stored-file.js';

/** Room for what is known of four hundred thousand files. */
const MOST_BYTES = 16 * 1024 * 1024;
const NOTHING = DeflatedFiles.of(new Map());

/** The gzip forms of files whose archive holds them deflated already: its data between a header and a trailer. */
export class DeflatedContent {
  private readonly known = new LRUCache<string, DeflatedFiles>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  /** @returns undefined when the archive holds the file in another form, or nothing is known of that */
  async open(generation: Generation, path: string): Promise<EncodedFile | undefined> {
    try {
      const file = (await this.filesOf(generation)).find(path);
      return file && new GzipFile(await open(generation.archive), file);
    } catch {
      // Gone, or no more handles: the file itself is open, and can be compressed.
      return undefined;
    }
  }

  /** The same whole and at once, when what the archive holds is known already. */
  readNow({ directory, archive }: Generation, path: string, allocate: Allocate): Buffer | undefined {
    const file = this.known.get(directory)?.find(path);
    if (file === undefined) return undefined;
    const descriptor = openSync(archive, 'r');
    try {
      const bytes = allocate(GZIP_HEADER.length + file.length + GZIP_TRAILER_BYTES);
      bytes.set(GZIP_HEADER);
      const end = GZIP_HEADER.length + file.length;
      if (readNow(descriptor, file.offset, bytes.subarray(GZIP_HEADER.length, end)) === undefined)
        return undefined;
      bytes.set(gzipTrailerOf(file), end);
      return bytes;
    } finally {
      closeSync(descriptor);
    }
  }

  private async filesOf({ directory, deflated }: Generation): Promise<DeflatedFiles> {
    const known = this.known.get(directory);
    if (known !== undefined) return known;
    const bytes = await unless(NOTHING_THERE, readFile(deflated));
    const files = (bytes && DeflatedFiles.from(bytes)) ?? NOTHING;
    this.known.set(directory, files);
    return files;
  }
}

const CHUNK_BYTES = 256 * 1024;

/** One member of gzip, whose data stands in the middle of an archive. */
class GzipFile extends Readable implements EncodedFile {
  readonly size: number;
  /** Bytes of the data that were read. */
  private done = 0;

  constructor(
    private readonly archive: FileHandle,
    private readonly file: DeflatedFile,
  ) {
    super({ highWaterMark: CHUNK_BYTES });
    this.size = GZIP_HEADER.length + file.length + GZIP_TRAILER_BYTES;
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

  /** The header comes with the first piece of data and the trailer with the last: mostly they are the same. */
  private async nextPiece(): Promise<Buffer | null> {
    const { offset, length } = this.file;
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
