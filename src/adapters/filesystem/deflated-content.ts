import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import {
  type Allocate,
  type DeflatedFile,
  DeflatedFiles,
  type EncodedFile,
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
      const bytes = allocate(HEADER.length + file.length + TRAILER_LENGTH);
      bytes.set(HEADER);
      const end = HEADER.length + file.length;
      if (readNow(descriptor, file.offset, bytes.subarray(HEADER.length, end)) === undefined)
        return undefined;
      bytes.set(trailerOf(file), end);
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

/** RFC 1952 section 2.3: deflate, no flags, no time, unknown system. */
const HEADER = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
const TRAILER_LENGTH = 8;
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
    this.size = HEADER.length + file.length + TRAILER_LENGTH;
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
    const header = this.done === 0 ? HEADER : Buffer.alloc(0);
    const wanted = Math.min(CHUNK_BYTES, length - this.done);
    if (wanted === 0) return null;
    const data = await readAt(this.archive, offset + this.done, wanted);
    if (data.length < wanted) throw new Error('The archive ends before the data of a file does');
    this.done += wanted;
    if (this.done < length) return Buffer.concat([header, data]);
    return Buffer.concat([header, data, trailerOf(this.file)]);
  }
}

function trailerOf({ size, crc32 }: DeflatedFile): Buffer {
  const trailer = Buffer.alloc(TRAILER_LENGTH);
  trailer.writeUInt32LE(crc32, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return trailer;
}
