import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ByteRange, StoredFile } from '../../../application/index.js';
import { HttpFault } from '../errors.js';
import { preferredEncoding } from './accept-encoding.js';
import { bufferOf } from './buffered.js';
import { parseByteRange } from './byte-range.js';
import { FileBody } from './file-body.js';
import { isFresh } from './freshness.js';
import { gzipped, gzippedStream } from './gzip.js';
import { Representation } from './representation.js';

/** Max. size of a body sent from one buffer. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export interface FileAnswer {
  readonly file: StoredFile;
  /** Determines the content type. */
  readonly name: string;
  /** 200, unless the file is the body of another response, such as a site's own `404.html`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a file: validators, conditions, one range, an encoding (RFC 9110 sections 8, 12, 13 and 14). Closes the file in
 * every case.
 */
export async function sendFile(
  ctx: Context,
  { file, name, status = 200, headers = {} }: FileAnswer,
): Promise<void> {
  try {
    const representation = new Representation(file, name);
    // Ranges apply to the file itself, never to its compressed form.
    const wantsRange = ctx.method === 'GET' && status === 200 && ctx.get('Range') !== '';
    const encoding = representation.mayCompress && !wantsRange ? preferredEncoding(ctx.headers) : 'identity';
    ctx.set({ ...Object.fromEntries(representation.headers(encoding)), ...headers });
    if (status === 200 && isFresh(ctx.headers, representation.etag(encoding), representation.lastModified)) {
      await file.close();
      ctx.status = 304;
      return;
    }
    const range = wantsRange && mayUseRange(ctx, representation) ? readRange(ctx, file.size) : undefined;
    ctx.status = range === undefined ? status : 206;
    ctx.set('Content-Type', representation.type);
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
  if (ready !== undefined) {
    await file.close();
    if (ctx.method === 'HEAD') await ready.close();
    else ctx.body = ready.size <= MAX_BUFFERED_BYTES ? await bufferOf(ready.stream()) : streamOf(ready);
    ctx.length = ready.size;
  } else if (ctx.method === 'HEAD') await file.close();
  else if (file.size <= MAX_BUFFERED_BYTES) ctx.body = await gzipped(await bufferOf(file.stream()));
  else ctx.body = gzippedStream(streamOf(file));
}

/** The bytes as a stream that reads ahead, and so needs copies of the chunks. */
function streamOf(file: Pick<StoredFile, 'stream'>): Readable {
  const copies = async function* () {
    for await (const chunk of file.stream()) yield Buffer.from(chunk);
  };
  return Readable.from(copies(), { objectMode: false });
}

/** Evaluates `If-Range` (RFC 9110 section 13.1.5): a strong ETag or the exact date, else the whole file. */
function mayUseRange(ctx: Context, representation: Representation): boolean {
  const condition = ctx.get('If-Range');
  if (condition === '') return true;
  if (/^(?:W\/)?"/.test(condition)) return condition === representation.etag('identity');
  return condition === representation.lastModified;
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
