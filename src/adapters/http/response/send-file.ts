import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ByteRange, EncodedFile, StoredFile } from '../../../application/index.js';
import { Refusal } from '../../../domain/index.js';
import { contentTypeOf } from '../../../node/content-type.js';
import { HttpFault } from '../errors.js';
import { preferredEncoding } from './accept-encoding.js';
import { bufferOf } from './buffered.js';
import { parseByteRange } from './byte-range.js';
import { setCachePolicy } from './cache-policy.js';
import { assertIntact, checkedGzip } from './checked-gzip.js';
import { FileBody } from './file-body.js';
import { isFresh } from './freshness.js';
import { gzipped, gzippedStream } from './gzip.js';
import { etagIn, isCompressible, MIN_COMPRESSED_BYTES } from './representation.js';

/** Max. size of a body sent from one buffer. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

interface FileAnswer {
  readonly file: StoredFile;
  /** Determines the content type; may be a path. */
  readonly name: string;
  /** 200, unless the file is the body of another response, such as a site's own `404.html`. */
  readonly status?: number;
}

/**
 * Sends a file: validators, conditions, one range, an encoding (RFC 9110 sections 8, 12, 13 and 14). Closes the file in
 * every case.
 */
export async function sendFile(ctx: Context, { file, name, status = 200 }: FileAnswer): Promise<void> {
  try {
    const type = contentTypeOf(name, file.charset);
    const isText = isCompressible(type);
    // Ranges apply to the file itself, never to its compressed form.
    const wantsRange = ctx.method === 'GET' && status === 200 && ctx.get('Range') !== '';
    const mayCompress = isText && file.size >= MIN_COMPRESSED_BYTES && !wantsRange;
    const encoding = mayCompress ? preferredEncoding(ctx.headers) : 'identity';
    const etag = etagIn(encoding, file.etag);
    const lastModified = file.modifiedAt.toUTCString();
    setCachePolicy(ctx, 'revalidate');
    ctx.set({ 'Last-Modified': lastModified, ETag: etag });
    if (isText) ctx.vary('Accept-Encoding');
    if (encoding === 'identity') ctx.set('Accept-Ranges', 'bytes');
    if (status === 200 && isFresh(ctx.headers, etag, lastModified)) {
      await file.close();
      ctx.status = 304;
      return;
    }
    const range = wantsRange && mayUseRange(ctx, etag, lastModified) ? readRange(ctx, file.size) : undefined;
    ctx.status = range === undefined ? status : 206;
    ctx.set('Content-Type', type);
    if (encoding === 'gzip') return await sendCompressed(ctx, file);
    if (range !== undefined) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
    const length = range === undefined ? file.size : range.end + 1 - range.start;
    if (ctx.method === 'HEAD') await file.close();
    else {
      if (range === undefined) ctx.state.stored = file;
      ctx.body =
        length <= MAX_BUFFERED_BYTES ? await bufferOf(file.stream(range)) : new FileBody(file, range);
    }
    // Koa cannot measure the length of streams.
    ctx.length = length;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function sendCompressed(ctx: Context, file: StoredFile): Promise<void> {
  const ready = await file.gzipped?.();
  ctx.set('Content-Encoding', 'gzip');
  if (ctx.method === 'HEAD') {
    await file.close();
    await ready?.close();
    if (ready !== undefined) ctx.length = ready.size;
    return;
  }
  const body = ready && (await readyBody(ready));
  if (ready !== undefined && body !== undefined) {
    await file.close();
    ctx.body = body;
    ctx.length = ready.size;
  } else if (file.size <= MAX_BUFFERED_BYTES) ctx.body = await gzipped(await bufferOf(file.stream()));
  else ctx.body = gzippedStream(streamOf(file));
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

/** Evaluates `If-Range` (RFC 9110 section 13.1.5): a strong ETag or the exact date, else the whole file. */
function mayUseRange(ctx: Context, etag: string, lastModified: string): boolean {
  return ['', etag, lastModified].includes(ctx.get('If-Range'));
}

/** The requested range; undefined for the whole file. */
function readRange(ctx: Context, size: number): ByteRange | undefined {
  const range = parseByteRange(ctx.get('Range'), size);
  if (range !== 'unsatisfiable') return range;
  throw new HttpFault(
    'invalid_request',
    `The range asked for lies outside of the ${size} bytes of the file`,
    { 'Content-Range': `bytes */${size}` },
    416,
  );
}
