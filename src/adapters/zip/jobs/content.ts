import { crc32, createInflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import { refuse } from '../../../domain/refusal/refuse.js';
import { isAbandoned } from '../../../node/background/job.js';
import type { ArchiveEntry } from '../reading/archive-entry.js';
import type { ArchiveReader } from '../reading/archive-reader.js';
import { METHOD } from '../reading/header-fields.js';

/**
 * Max. size of content inflated at once, which is many times faster for small files; larger content is inflated in chunks
 * of this size. Inflated content lies outside of V8's heap, which releases it slowly.
 */
const CHUNK = 64 * 1024;

/** Receives content in chunks, each valid until the call returns. */
export type Sink = (bytes: Buffer) => void;

/**
 * Passes the content of `entry` to `sink` and checks it against its header: never more bytes than declared reach the
 * sink, and afterwards the size, the CRC and the end of the compressed data are right.
 * @throws Refusal `invalid_archive`, or `unavailable` when the process is about to end; errors of the sink
 */
export async function readContent(archive: ArchiveReader, entry: ArchiveEntry, sink: Sink): Promise<void> {
  assertNotEnding();
  const check = new ContentCheck(entry, sink);
  if (entry.method === METHOD.stored) {
    for (const chunk of chunksOf(archive, entry)) check.take(chunk);
  } else if (Math.max(entry.compressedSize, entry.size) <= CHUNK) {
    inflateAtOnce(archive, entry, check);
  } else {
    await inflateInChunks(archive, entry, check);
  }
  check.end();
}

/** Checks content against its header, and passes it on. */
class ContentCheck {
  private bytes = 0;
  private crc = 0;

  constructor(
    private readonly entry: ArchiveEntry,
    private readonly sink: Sink,
  ) {}

  take(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.entry.size) throw damaged(this.entry, 'contains more bytes than it declares');
    this.crc = crc32(chunk, this.crc);
    this.sink(chunk);
  }

  end(): void {
    if (this.bytes < this.entry.size) throw damaged(this.entry, 'contains fewer bytes than it declares');
    if (this.crc !== this.entry.crc32) throw damaged(this.entry, 'does not match its CRC');
  }
}

function* chunksOf(archive: ArchiveReader, { dataOffset, compressedSize }: ArchiveEntry): Generator<Buffer> {
  for (let done = 0; done < compressedSize; done += CHUNK) {
    yield archive.slice(dataOffset + done, Math.min(CHUNK, compressedSize - done));
  }
}

function inflateAtOnce(archive: ArchiveReader, entry: ArchiveEntry, check: ContentCheck): void {
  const compressed = archive.slice(entry.dataOffset, entry.compressedSize);
  // A limit one byte above the declared size detects a wrong size, and spares zlib a second buffer to see the end.
  const max = entry.size + 1;
  try {
    const { buffer, engine } = inflateRawSync(compressed, {
      maxOutputLength: max,
      chunkSize: Math.max(64, max),
      info: true,
    }) as unknown as { buffer: Buffer; engine: InflateRaw };
    checkConsumed(entry, engine.bytesWritten);
    check.take(buffer);
  } catch (error) {
    throw explained(entry, error);
  }
}

async function inflateInChunks(
  archive: ArchiveReader,
  entry: ArchiveEntry,
  check: ContentCheck,
): Promise<void> {
  const inflate = createInflateRaw({ chunkSize: CHUNK });
  const chunks = chunksOf(archive, entry);
  // A chunk is a view, valid until the next one is read: after zlib's callback.
  const feed = () => {
    try {
      const next = chunks.next();
      if (next.done) inflate.end();
      else inflate.write(next.value, () => feed());
    } catch (error) {
      inflate.destroy(error as Error);
    }
  };
  try {
    feed();
    for await (const chunk of inflate) check.take(chunk);
    checkConsumed(entry, inflate.bytesWritten);
  } catch (error) {
    throw explained(entry, error);
  } finally {
    inflate.destroy();
  }
}

function checkConsumed(entry: ArchiveEntry, consumed: number): void {
  if (consumed !== entry.compressedSize) throw damaged(entry, 'has data after the end of its deflate stream');
}

function explained(entry: ArchiveEntry, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return damaged(entry, 'contains more bytes than it declares', error);
  if (code === 'Z_BUF_ERROR') return damaged(entry, 'ends before its deflate stream does', error);
  return code.startsWith('Z_') ? damaged(entry, 'is not valid deflate data', error) : error;
}

const damaged = (entry: ArchiveEntry, why: string, cause?: unknown) =>
  refuse.invalidArchive(why, entry.name, cause === undefined ? undefined : { cause });

/**
 * Asserts that jobs are not being aborted. Call it before creating a zlib engine: Node 20 and 24 abort the whole process
 * ("close before init") when a thread ends during that.
 * @throws Refusal `unavailable` once `ZipArchives.giveUp` was called
 */
export function assertNotEnding(): void {
  if (isAbandoned()) throw refuse.closing();
}
