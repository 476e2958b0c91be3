import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { assertNotEnding } from './ending.js';
import { METHOD } from './header-fields.js';
import { writeAll } from './write-all.js';
import { centralHeader, endRecords, localHeader, type PackedEntry } from './zip-records.js';

/** What `zip` uses unless told otherwise. */
const LEVEL = 6;
/** Files up to this size are read and deflated in one piece; anything larger in chunks of flat memory. */
const MOST_AT_ONCE = 4 * 1024 * 1024;
const CHUNK = 256 * 1024;
/** From here on a deflated file may take 4 GiB, even if it does not compress. */
const LEAST_ZIP64 = 0xf000_0000;

/**
 * Writes a new archive file by file, with zip64 where it is needed. Synchronous for all but large files, because
 * that is many times faster in a worker.
 */
export class ArchiveWriter {
  private readonly fd: number;
  private readonly directory: Buffer[] = [];
  private position = 0;

  /** @throws EEXIST when `archiveFile` is there already. */
  constructor(archiveFile: string) {
    this.fd = openSync(archiveFile, 'wx', 0o644);
  }

  /**
   * Adds the regular file `file` as `path`; what does not compress is stored.
   * @throws Refusal `unavailable` when the process is about to end.
   */
  async add(file: string, path: string, modified: Date): Promise<void> {
    assertNotEnding();
    const source = openSync(file, 'r');
    try {
      const { size } = fstatSync(source);
      const entry = { name: Buffer.from(path), modified, headerOffset: this.position };
      const added =
        size <= MOST_AT_ONCE
          ? this.addAtOnce(entry, source, size)
          : await this.addInChunks(entry, source, size);
      this.directory.push(centralHeader(added));
    } finally {
      closeSync(source);
    }
  }

  /** Writes the central directory. */
  end(): void {
    const records = Buffer.concat(this.directory);
    this.write(Buffer.concat([records, endRecords(this.directory.length, this.position, records.length)]));
  }

  close(): void {
    closeSync(this.fd);
  }

  private addAtOnce(entry: NewEntry, source: number, size: number): PackedEntry {
    const content = Buffer.concat([...chunksOf(source, size, size)]);
    const deflated = deflateRawSync(content, { level: LEVEL, chunkSize: Math.max(64, content.length) });
    const isStored = deflated.length >= content.length;
    const body = isStored ? content : deflated;
    const added = {
      ...entry,
      method: isStored ? METHOD.stored : METHOD.deflated,
      crc32: crc32(content),
      compressedSize: body.length,
      size: content.length,
    };
    this.write(Buffer.concat([localHeader(added, false), body]));
    return added;
  }

  private async addInChunks(entry: NewEntry, source: number, size: number): Promise<PackedEntry> {
    const isLarge = size >= LEAST_ZIP64;
    const isStored = !compresses(source);
    const added = {
      ...entry,
      method: isStored ? METHOD.stored : METHOD.deflated,
      crc32: 0,
      compressedSize: 0,
      size: 0,
    };
    // Sizes and CRC are written over it at the end.
    this.write(localHeader(added, isLarge));
    const contentStart = this.position;
    const counted = function* () {
      for (const chunk of chunksOf(source, size, CHUNK)) {
        added.crc32 = crc32(chunk, added.crc32);
        added.size += chunk.length;
        yield chunk;
      }
    };
    if (isStored) {
      for (const chunk of counted()) this.write(chunk);
    } else {
      await pipeline(counted, createDeflateRaw({ level: LEVEL, chunkSize: CHUNK }), async (pieces) => {
        for await (const piece of pieces) this.write(piece);
      });
    }
    added.compressedSize = this.position - contentStart;
    writeAll(this.fd, localHeader(added, isLarge), entry.headerOffset);
    return added;
  }

  private write(bytes: Buffer): void {
    writeAll(this.fd, bytes);
    this.position += bytes.length;
  }
}

type NewEntry = Pick<PackedEntry, 'name' | 'modified' | 'headerOffset'>;

/** Up to `size` bytes from the start, though the file may grow meanwhile, in pieces of their own. */
function* chunksOf(fd: number, size: number, most: number): Generator<Buffer> {
  for (let done = 0; done < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(most, size - done));
    const length = readSync(fd, chunk, 0, chunk.length, done);
    if (length === 0) return;
    done += length;
    yield chunk.subarray(0, length);
  }
}

/** Whether a large file is worth deflating, by its beginning. */
function compresses(fd: number): boolean {
  const [beginning = Buffer.alloc(0)] = chunksOf(fd, CHUNK, CHUNK);
  return deflateRawSync(beginning, { level: 1 }).length < 0.98 * beginning.length;
}
