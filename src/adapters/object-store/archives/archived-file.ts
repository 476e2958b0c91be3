import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, createInflateRaw, inflateRaw, inflateRawSync } from 'node:zlib';
import { type ByteRange, bytesOf, type EncodedFile, type StoredFile } from '../../../application/index.js';
import type { IndexedFile } from '../../../formats/index.js';
import { GzipFromArchive, isWorthSending } from '../../../node/archived-content.js';

/** Max. bytes of a file that is inflated on this thread: handing it to another one takes longer. */
const MAX_INFLATED_HERE = 64 * 1024;
/** Max. bytes of a file that is inflated and checked before any of it is sent. */
const MAX_AT_ONCE = 1024 * 1024;

const inflated = promisify(inflateRaw);

/** The content of a file does not match its CRC-32. */
class Damaged extends Error {
  override readonly name = 'Damaged';
}

/** An archive to read files from. */
export interface ReadableArchive {
  /** Id of the publication. */
  readonly revision: string;
  readonly publishedAt: Date;
  /** Returns a range of the archive's bytes. */
  read(range: ByteRange): AsyncIterable<Uint8Array>;
  /** Called when the content of a file is wrong: further reads may find other bytes. */
  distrust(): void;
}

/** A file inside an archive. Nothing is open until it is read. */
export class ArchivedFile implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  readonly charset: string | undefined;

  constructor(
    private readonly archive: ReadableArchive,
    private readonly file: IndexedFile,
  ) {
    this.size = file.size;
    this.modifiedAt = archive.publishedAt;
    this.etag = `${archive.revision}-${file.crc32.toString(16)}-${file.size.toString(16)}`;
    this.charset = file.charset;
  }

  async *stream(range?: ByteRange): AsyncGenerator<Uint8Array> {
    const { size, method } = this.file;
    if (size === 0) return;
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (size <= MAX_AT_ONCE) yield (await this.whole()).subarray(start, end + 1);
    else if (start === 0 && end === size - 1) yield* this.proven();
    else if (method === 'stored') yield* this.stored(start, end);
    else yield* cut(this.proven(), start, end);
  }

  async close(): Promise<void> {}

  /** The deflated data between a gzip header and trailer; undefined when it is not smaller than the file. */
  async gzipped(): Promise<EncodedFile | undefined> {
    if (!isWorthSending(this.file)) return undefined;
    const { archive } = this;
    return new GzipFromArchive(
      this.file,
      (range) => archive.read(range),
      () => archive.distrust(),
    );
  }

  /** The data in the archive, as it is. */
  private data(): AsyncIterable<Uint8Array> {
    return this.stored(0, this.file.compressedSize - 1);
  }

  private stored(start: number, end: number): AsyncIterable<Uint8Array> {
    const { offset } = this.file;
    return this.archive.read({ start: offset + start, end: offset + end });
  }

  /** The content of a small file, checked; read again from the store when a cached archive is damaged. */
  private async whole(): Promise<Uint8Array> {
    try {
      return await this.checked();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.archive.distrust();
    }
    try {
      return await this.checked();
    } catch (error) {
      throw isDamage(error) ? this.damaged(error) : error;
    }
  }

  private async checked(): Promise<Uint8Array> {
    const data = await bytesOf(this.data());
    const content = this.file.method === 'stored' ? data : await this.inflate(data);
    const { size } = this.file;
    if (content.length !== size || crc32(content) !== this.file.crc32) throw this.damaged();
    return content;
  }

  private async inflate(data: Uint8Array): Promise<Buffer> {
    const { size } = this.file;
    // In one step: with its default, zlib is called for each 16 KiB, and once more when a chunk was just full.
    const options = { maxOutputLength: size, chunkSize: Math.max(64, size + 1) };
    return size > MAX_INFLATED_HERE ? inflated(data, options) : inflateRawSync(data, options);
  }

  /**
   * The content of a large file. The last chunk comes only when all of them match size and CRC-32, so nobody takes wrong bytes
   * for a whole file.
   */
  private async *proven(): AsyncGenerator<Uint8Array> {
    const { method, size } = this.file;
    let crc = 0;
    let length = 0;
    let last: Uint8Array | undefined;
    try {
      for await (const chunk of method === 'stored' ? this.data() : this.inflating()) {
        length += chunk.length;
        if (length > size) throw this.damaged();
        if (last !== undefined) yield last;
        crc = crc32(chunk, crc);
        last = chunk;
      }
      if (length !== size || crc !== this.file.crc32) throw this.damaged();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.archive.distrust();
      throw this.damaged(error);
    }
    if (last !== undefined) yield last;
  }

  private async *inflating(): AsyncGenerator<Uint8Array> {
    const inflate = createInflateRaw();
    const source = Readable.from(this.data());
    source.once('error', (error) => inflate.destroy(error));
    try {
      yield* source.pipe(inflate);
    } finally {
      source.destroy();
      inflate.destroy();
    }
  }

  private damaged(cause?: unknown): Damaged {
    const { path } = this.file;
    return new Damaged(`'${path}' in the archive ${this.archive.revision} does not match its CRC-32`, {
      cause,
    });
  }
}

/** Whether an error comes from wrong bytes: those of zlib do. */
function isDamage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof Damaged || (typeof code === 'string' && /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(code));
}

/** The bytes from `start` to `end`, both included. */
async function* cut(
  chunks: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of chunks) {
    const [from, to] = [Math.max(start - at, 0), Math.min(end + 1 - at, chunk.length)];
    if (from < to) yield chunk.subarray(from, to);
    at += chunk.length;
    if (at > end) return;
  }
}

/** A file whose bytes are read by ranges. Nothing is open until it is read. */
export function rangedFile(
  facts: Pick<StoredFile, 'size' | 'modifiedAt' | 'etag'>,
  read: (range: ByteRange) => AsyncIterable<Uint8Array>,
): StoredFile {
  return {
    ...facts,
    async *stream(range = { start: 0, end: facts.size - 1 }) {
      if (facts.size > 0) yield* read(range);
    },
    async close() {},
  };
}
