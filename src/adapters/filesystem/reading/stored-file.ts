import * as fs from 'node:fs';
import { promisify } from 'node:util';
import type { ByteRange, EncodedFile, StoredFile } from '../../../application/index.js';
import { charsetOf, textKindOf } from '../../../node/content-type.js';
import { hasErrno, unless } from '../../../node/system-errors.js';
import { NOTHING_THERE } from '../disk.js';

/** Max. size of files that are read whole when opened. */
const MAX_SMALL_BYTES = 64 * 1024;
/** Size of the reused buffer for larger files. */
const CHUNK_BYTES = 256 * 1024;
/** O_NONBLOCK: opening a FIFO would wait for a writer. No effect on regular files. */
const FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);
/** Bytes at the start of a file that are looked at. */
const MAX_BYTES = 1024 * 1024;

const open = promisify(fs.open);
const fstat = promisify(fs.fstat);
const read = promisify(fs.read);
const close = promisify(fs.close);

/** Facts about a file that its handle does not give. */
export interface EntryFacts {
  readonly etag?: string | undefined;
  /** Path below the docs directory; only for a file that never changes. */
  readonly localPath?: string;
  readonly charset?: string | undefined;
  readonly gzipped?: () => Promise<EncodedFile | undefined>;
}

/** A file of this store. Size, times and bytes come from one open handle, so they belong to the same file. */
export abstract class LocalFile implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  readonly localPath: string | undefined;
  charset: string | undefined;
  readonly gzipped?: () => Promise<EncodedFile | undefined>;

  constructor(stats: fs.BigIntStats, { etag, localPath, charset, gzipped }: EntryFacts) {
    this.size = Number(stats.size);
    this.modifiedAt = stats.mtime;
    this.etag = etag ?? etagOf(stats);
    this.localPath = localPath;
    this.charset = charset;
    if (gzipped !== undefined) this.gzipped = gzipped;
  }

  /** Returns the first bytes, at most `max`, and leaves the file open. */
  abstract start(max: number): Promise<Uint8Array>;
  abstract stream(range?: ByteRange): AsyncIterable<Uint8Array>;
  abstract close(): Promise<void>;
}

function etagOf({ size, mtimeNs, ino }: fs.BigIntStats): string {
  return [size, mtimeNs, ino].map((number) => number.toString(36)).join('-');
}

/** A file read whole when it was opened. */
class SmallFile extends LocalFile {
  constructor(
    private readonly bytes: Buffer,
    stats: fs.BigIntStats,
    facts: EntryFacts,
  ) {
    super(stats, facts);
  }

  async start(max: number): Promise<Uint8Array> {
    return this.bytes.subarray(0, max);
  }

  async *stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    yield range === undefined ? this.bytes : this.bytes.subarray(range.start, range.end + 1);
  }

  async close(): Promise<void> {}
}

/** A file read in chunks. */
class LargeFile extends LocalFile {
  private reading: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly descriptor: number,
    stats: fs.BigIntStats,
    facts: EntryFacts,
  ) {
    super(stats, facts);
  }

  async start(max: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(Math.min(max, this.size));
    let filled = 0;
    while (filled < bytes.length) {
      const got = await this.read(bytes.subarray(filled), bytes.length - filled, filled);
      if (got === 0) break;
      filled += got;
    }
    return bytes.subarray(0, filled);
  }

  stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    // Ends at the announced size, though a copied-in file may grow meanwhile.
    return new ReusedBuffer(this, range?.start ?? 0, range?.end ?? this.size - 1);
  }

  /** @returns the number of bytes; 0 at the end of the file */
  async read(into: Uint8Array, length: number, position: number): Promise<number> {
    if (this.closing !== undefined) throw new Error('The file was closed');
    const reading = read(this.descriptor, into, 0, length, position);
    this.reading = reading;
    return (await reading).bytesRead;
  }

  /** Closes the file once, after running reads: the system reuses the numbers of closed descriptors. */
  async close(): Promise<void> {
    this.closing ??= this.reading.catch(() => {}).then(() => close(this.descriptor));
    return this.closing;
  }
}

/**
 * Iterator over a large file, with one reused buffer. A new buffer for each chunk would make V8 mark its whole heap
 * again and again, which leaves a third of the rate.
 */
class ReusedBuffer implements AsyncIterableIterator<Uint8Array> {
  private memory: Buffer | undefined;

  constructor(
    private readonly file: LargeFile,
    private position: number,
    private readonly end: number,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const left = this.end + 1 - this.position;
    if (left <= 0) return this.return();
    try {
      this.memory ??= Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, left));
      const bytes = await this.file.read(this.memory, Math.min(this.memory.length, left), this.position);
      if (bytes === 0) throw new Error('A file ended before the bytes that were announced');
      this.position += bytes;
      if (bytes === left) await this.file.close();
      return { done: false, value: this.memory.subarray(0, bytes) };
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  /** Closes the file, also for readers that end before the first chunk, which a generator would not notice. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    this.position = this.end + 1;
    await this.file.close();
    return { done: true, value: undefined };
  }
}

/** A file or directory of this store. */
export type LocalEntry = { readonly kind: 'file'; readonly file: LocalFile } | { readonly kind: 'directory' };

/**
 * Opens the file or directory at a path; undefined when there is neither. The file may change in place, and keep its
 * size and time of modification then: its ETag also depends on the change time, which nobody can set.
 */
export async function openEntry(path: string, facts: EntryFacts = {}): Promise<LocalEntry | undefined> {
  const descriptor = await unless(NOTHING_THERE, open(path, FLAGS));
  if (descriptor === undefined) return undefined;
  try {
    const stats = await fstat(descriptor, { bigint: true });
    if (stats.isFile()) {
      const etag = `${etagOf(stats)}-${stats.ctimeNs.toString(36)}`;
      return { kind: 'file', file: new LargeFile(descriptor, stats, { etag, ...facts }) };
    }
    await close(descriptor);
    return stats.isDirectory() ? { kind: 'directory' } : undefined;
  } catch (error) {
    await close(descriptor);
    throw error;
  }
}

/**
 * Sync variant of `openEntry`, for files of generations. Small files are read whole: a page in the system's cache takes
 * 10 us of processor time, against 106 us through Node's thread pool (both measured with 6 KB).
 */
export function openEntrySync(path: string, facts: EntryFacts): LocalEntry | undefined {
  const descriptor = openIfThere(path);
  if (descriptor === undefined) return undefined;
  let isKept = false;
  try {
    const stats = fs.fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) return stats.isDirectory() ? { kind: 'directory' } : undefined;
    const bytes = stats.size <= MAX_SMALL_BYTES ? readWhole(descriptor, Number(stats.size)) : undefined;
    if (bytes !== undefined) return { kind: 'file', file: new SmallFile(bytes, stats, facts) };
    isKept = true;
    return { kind: 'file', file: new LargeFile(descriptor, stats, facts) };
  } finally {
    if (!isKept) fs.closeSync(descriptor);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return fs.openSync(path, FLAGS);
  } catch (error) {
    if (hasErrno(error, NOTHING_THERE)) return undefined;
    throw error;
  }
}

/** @returns undefined when the file is shorter */
function readWhole(descriptor: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  for (let filled = 0; filled < size; ) {
    const got = fs.readSync(descriptor, bytes, filled, size - filled, filled);
    if (got === 0) return undefined;
    filled += got;
  }
  return bytes;
}

/** Tells the charset of an open file that no index has, by its bytes. Closes the file on failure. */
export async function withCharset(entry: LocalEntry, name: string): Promise<LocalEntry> {
  if (entry.kind === 'directory' || textKindOf(name) === undefined) return entry;
  const { file } = entry;
  try {
    file.charset = charsetOf(name, await file.start(MAX_BYTES), file.size > MAX_BYTES);
    return entry;
  } catch (error) {
    await file.close();
    throw error;
  }
}
