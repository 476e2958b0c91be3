import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type {
  Allocate,
  ByteRange,
  EncodedFile,
  HeldFile,
  HowToRead,
  SiteEntry,
  StoredFile,
} from '../../application/index.js';
import { NOTHING_THERE, unless } from './disk.js';

const CHUNK_BYTES = 256 * 1024;
/** A FIFO would otherwise wait for a writer; on regular files the flag means nothing. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What is known of a file beside what its handle says. */
export type EntryFacts = Partial<Pick<StoredFile, 'etag' | 'storedAt' | 'gzipped'>>;

/** A file behind one open handle: facts and bytes can't come from two different files. */
export class OpenFile implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  readonly storedAt?: string;
  readonly gzipped?: () => Promise<EncodedFile | undefined>;

  constructor(
    private readonly handle: FileHandle,
    stats: BigIntStats,
    { etag, storedAt, gzipped }: EntryFacts = {},
  ) {
    if (gzipped !== undefined) this.gzipped = gzipped;
    this.size = Number(stats.size);
    this.modifiedAt = stats.mtime;
    this.etag = etag ?? etagOf(stats);
    if (storedAt !== undefined) this.storedAt = storedAt;
  }

  stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    // Up to the size that was announced, though a file put there by hand may grow meanwhile.
    const { start, end } = range ?? { start: 0, end: this.size - 1 };
    if (end < start) {
      this.close().catch(() => {});
      return Readable.from([]);
    }
    if (end - start < CHUNK_BYTES) return new OneRead(this.handle, start, end - start + 1);
    return this.handle.createReadStream({ start, end, highWaterMark: CHUNK_BYTES });
  }

  async read(into: Uint8Array, position: number): Promise<number> {
    return (await this.handle.read(into, 0, into.length, position)).bytesRead;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

function etagOf({ size, mtimeNs, ino }: BigIntStats): string {
  return [size, mtimeNs, ino].map((number) => number.toString(36)).join('-');
}

/** The bytes of a small file in one piece: most pages are small, and a stream costs more than reading them. */
class OneRead implements AsyncIterableIterator<Uint8Array> {
  private isDone = false;

  constructor(
    private readonly handle: FileHandle,
    private readonly position: number,
    private readonly length: number,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.isDone) return { done: true, value: undefined };
    this.isDone = true;
    try {
      return { done: false, value: await readAt(this.handle, this.position, this.length) };
    } finally {
      await this.handle.close();
    }
  }

  /** Also called by those who end before the first piece; a generator would not notice. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.isDone = true;
    await this.handle.close();
    return { done: true, value: undefined };
  }
}

/** Bytes of an open file; fewer when it ends before them. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** What stands at a path, opened once; undefined when there is neither a file nor a directory. */
export async function openEntry(path: string, facts: EntryFacts = {}): Promise<SiteEntry | undefined> {
  const handle = await unless(NOTHING_THERE, open(path, FLAGS));
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.isFile()) return { kind: 'file', file: new OpenFile(handle, stats, facts) };
    await handle.close();
    return stats.isDirectory() ? { kind: 'directory' } : undefined;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * A small file, read without waiting: on a file that the system has in memory, three trips to the thread pool take
 * ten times as long as reading it. Undefined when it is larger, no file, or not at hand in the form that is wanted.
 * @param readGzipped gives the gzip form of the same file
 * @throws an error with an errno code
 */
export function readEntryNow(
  path: string,
  { most, gzipFrom = Number.POSITIVE_INFINITY, allocate = Buffer.allocUnsafe }: HowToRead,
  readGzipped: (allocate: Allocate) => Buffer | undefined,
): HeldFile | undefined {
  const descriptor = openSync(path, FLAGS);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const size = Number(stats.size);
    if (!stats.isFile() || size > most) return undefined;
    const encoding = size < gzipFrom ? 'identity' : 'gzip';
    const bytes = encoding === 'gzip' ? readGzipped(allocate) : readNow(descriptor, 0, allocate(size));
    return bytes && { size, modifiedAt: stats.mtime, etag: etagOf(stats), encoding, bytes };
  } finally {
    closeSync(descriptor);
  }
}

/** Fills memory with bytes of an open file, and gives it; undefined when the file ends before. */
export function readNow(descriptor: number, position: number, into: Buffer): Buffer | undefined {
  for (let filled = 0; filled < into.length; ) {
    const read = readSync(descriptor, into, filled, into.length - filled, position + filled);
    if (read === 0) return undefined;
    filled += read;
  }
  return into;
}
