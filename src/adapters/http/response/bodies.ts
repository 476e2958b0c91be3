import { once } from 'node:events';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, createGzip, gunzipSync, gzip } from 'node:zlib';
import { type ByteRange, bytesOf, type EncodedFile, type StoredFile } from '../../../application/index.js';
import { Refusal } from '../../../domain/index.js';

/** Max. size of a body sent from one buffer. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;
/** Max. bodies that are read into memory at once; further ones wait. Each may have 1 MiB. */
const MAX_READING = 16;

const waiting: (() => void)[] = [];
let reading = 0;

/**
 * Reads a small body into a buffer, which costs less than a stream, and can be cached. Only a few at a time: the bodies
 * of thousands of connections must not be in memory before anybody has counted them as unread.
 */
export async function bufferOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (reading >= MAX_READING) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    const { buffer } = await bytesOf(chunks);
    return Buffer.from(buffer);
  } finally {
    const next = waiting.shift();
    if (next === undefined) reading -= 1;
    else next();
  }
}

/** Returns the body with a file's bytes, or a range of them. */
export function bodyOf(
  file: StoredFile,
  range: ByteRange | undefined,
  length: number,
): Promise<Buffer> | Readable {
  return length <= MAX_BUFFERED_BYTES ? bufferOf(file.stream(range)) : new FileBody(file, range);
}

/**
 * Returns the body with a file as gzip, and its size where that is known.
 * @param isWanted whether the body is; its size alone is for `HEAD`
 */
export async function gzippedBodyOf(
  file: StoredFile,
  isWanted: boolean,
): Promise<{ readonly body?: Buffer | Readable; readonly size?: number | undefined }> {
  const ready = await file.gzipped?.();
  if (!isWanted) {
    await file.close();
    await ready?.close();
    return { size: ready?.size };
  }
  const body = ready && (await readyBody(ready));
  if (ready !== undefined && body !== undefined) {
    await file.close();
    return { body, size: ready.size };
  }
  if (file.size <= MAX_BUFFERED_BYTES) return { body: await gzipped(await bufferOf(file.stream())) };
  return { body: gzippedStream(streamOf(file)) };
}

/**
 * The body of a response from an encoded form, which nobody has checked yet: a small one is checked before it is sent or
 * cached, a large one while it is sent, which then fails before its end.
 * @returns undefined when a small one is damaged
 */
async function readyBody(ready: EncodedFile): Promise<Buffer | Readable | undefined> {
  if (ready.size > MAX_BUFFERED_BYTES) return streamOf(checked(ready));
  try {
    const bytes = await bufferOf(ready.stream());
    await assertIntact(bytes);
    return bytes;
  } catch (error) {
    // The store is out of reach: that says nothing of the bytes.
    if (error instanceof Refusal) throw error;
    ready.distrust();
    return undefined;
  }
}

/** An encoded form that is checked while it is read. */
function checked(ready: EncodedFile): Pick<EncodedFile, 'stream' | 'close'> {
  return {
    async *stream() {
      try {
        yield* checkedGzip(ready.stream());
      } catch (error) {
        if (!(error instanceof Refusal)) ready.distrust();
        throw error;
      }
    },
    close: () => ready.close(),
  };
}

/** The bytes as a stream that reads ahead, and so needs copies of the chunks. */
function streamOf(file: Pick<StoredFile, 'stream' | 'close'>): Readable {
  const copies = async function* () {
    for await (const chunk of file.stream()) yield Buffer.from(chunk);
  };
  // A stream that is destroyed before it was read never asks for the bytes, which would close the file.
  return Readable.from(copies(), { objectMode: false }).once('close', () => void file.close());
}

/**
 * Response body that streams a stored file. A store's chunk is valid until the next one is requested, so each is
 * written before that; the destination must be done with a chunk when it calls back, as responses are.
 */
class FileBody extends Readable {
  constructor(
    private readonly file: StoredFile,
    private readonly range: ByteRange | undefined,
  ) {
    super();
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.send(destination).then(
      // `resume`: the `end` event needs a reader.
      () => this.resume().push(null),
      (error: Error) => this.destroy(error),
    );
    return destination;
  }

  /** Unused: `pipe` writes all data. */
  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.file.close().then(
      () => done(error),
      (cause: Error) => done(error ?? cause),
    );
  }

  private async send(destination: NodeJS.WritableStream): Promise<void> {
    for await (const chunk of this.file.stream(this.range)) {
      if (this.destroyed) return;
      await written(destination, chunk);
    }
  }
}

function written(destination: NodeJS.WritableStream, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Compresses a buffer. */
export const gzipped: (bytes: Buffer) => Promise<Buffer> = promisify(gzip);

/** Compresses a stream. */
export function gzippedStream(body: Readable): Readable {
  // `pipeline` ends both streams when either fails or the client disconnects; Koa sees that on the last one.
  return pipeline(body, createGzip(), new PassThrough(), () => {});
}

/** Max. unpacked bytes of a file that is inflated on this thread: handing it to another one takes longer. */
const MAX_INFLATED_HERE = 64 * 1024;

/**
 * Inflates a gzip file of one member, and compares the result with the CRC-32 and the size in its trailer.
 * @throws an error of zlib when they differ
 */
async function assertIntact(file: Buffer): Promise<void> {
  const size = file.readUInt32LE(file.length - 4);
  // In one step, and never more than was announced.
  if (size <= MAX_INFLATED_HERE)
    gunzipSync(file, { maxOutputLength: size, chunkSize: Math.max(64, size + 1) });
  else for await (const _ of checkedGzip([file]));
}

/**
 * Passes on a gzip file of one member, and inflates it meanwhile. The last chunk, which holds the trailer, only comes when
 * CRC-32 and size are right: without it nobody takes the rest for a whole file. Chunks are copies.
 * @throws an error of zlib when they differ
 */
async function* checkedGzip(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const check = createGunzip({ chunkSize: MAX_INFLATED_HERE }).resume();
  const ended = once(check, 'end');
  // Awaited below; it may fail before.
  ended.catch(() => {});
  let last: Uint8Array | undefined;
  try {
    for await (const chunk of chunks) {
      if (last !== undefined) yield last;
      last = Buffer.from(chunk);
      if (!check.write(last)) await Promise.race([once(check, 'drain'), ended]);
    }
    check.end();
    await ended;
  } finally {
    check.destroy();
  }
  if (last !== undefined) yield last;
}
