import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import fresh from 'fresh';
import type { Context } from 'koa';
import { contentType } from 'mime-types';
import Negotiator from 'negotiator';
import type { ByteRange, StoredFile } from '../../application/index.js';
import { parseByteRange } from './byte-range.js';
import { HttpFault } from './errors.js';

/** Below this many bytes a compressed body is no smaller on the wire. */
const LEAST_COMPRESSED = 1024;
/** What compresses well; everything else is sent as it is. */
const COMPRESSIBLE =
  /^text\/|[/+](?:javascript|json|xml|svg\+xml|wasm|x-ns-proxy-autoconfig)(?:$|;)|^font\/(?:ttf|otf)|^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)/;

export interface FileAnswer {
  readonly file: StoredFile;
  /** Decides the content type. */
  readonly name: string;
  /** 200, unless the file is the body of another answer, such as a site's own `404.html`. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers with a file: validators, conditions, one range, an encoding (RFC 9110 sections 8, 12, 13 and 14).
 * The file is closed in every case.
 */
export async function sendFile(
  ctx: Context,
  { file, name, status = 200, headers = {} }: FileAnswer,
): Promise<void> {
  try {
    const type = contentType(baseName(name)) || 'application/octet-stream';
    const isCompressible = COMPRESSIBLE.test(type) && file.size >= LEAST_COMPRESSED;
    ctx.set({ 'Cache-Control': 'no-cache', 'Last-Modified': file.modifiedAt.toUTCString(), ...headers });
    if (COMPRESSIBLE.test(type)) ctx.vary('Accept-Encoding');

    // A range is one of the file itself, never of its compressed form.
    const wantsRange = ctx.method === 'GET' && status === 200 && ctx.get('Range') !== '';
    const encoding = isCompressible && !wantsRange && prefersGzip(ctx) ? 'gzip' : undefined;
    const etag = encoding === undefined ? `"${file.etag}"` : `"${file.etag}-${encoding}"`;
    ctx.set('ETag', etag);
    if (encoding === undefined) ctx.set('Accept-Ranges', 'bytes');

    if (status === 200 && isFresh(ctx, etag)) {
      await file.close();
      ctx.status = 304;
      return;
    }
    const range = wantsRange && mayUseRange(ctx, etag) ? readRange(ctx, file.size) : undefined;
    ctx.status = range === undefined ? status : 206;
    ctx.set('Content-Type', type);
    if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
    if (range !== undefined) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
    const length = range === undefined ? file.size : range.end - range.start + 1;
    if (encoding === undefined) ctx.length = length;
    if (ctx.method === 'HEAD') {
      await file.close();
      ctx.respond = true;
      return;
    }
    ctx.body = bodyOf(file, range, encoding);
    // Koa sets the length of bodies that it can measure; a stream is none.
    if (encoding === undefined) ctx.length = length;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function bodyOf(file: StoredFile, range: ByteRange | undefined, encoding: string | undefined): Readable {
  const bytes = file.stream(range);
  const stream = bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
  if (encoding === undefined) return stream;
  // `pipeline` ends both streams when either fails or the client goes; Koa sees the outcome on the last one.
  return pipeline(stream, createGzip(), new PassThrough(), () => {});
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function prefersGzip(ctx: Context): boolean {
  if (ctx.get('Accept-Encoding') === '') return false;
  return new Negotiator(ctx.req).encoding(['gzip', 'identity']) === 'gzip';
}

/** RFC 9110 section 13.2.2. `Cache-Control: no-cache` in a request asks caches, not us: it stays out. */
export function isFresh(ctx: Context, etag: string): boolean {
  return fresh(
    { 'if-none-match': ctx.headers['if-none-match'], 'if-modified-since': ctx.headers['if-modified-since'] },
    { etag, 'last-modified': ctx.response.get('Last-Modified') },
  );
}

/** RFC 9110 section 13.1.5: a strong ETag or the exact date, else the whole file. */
function mayUseRange(ctx: Context, etag: string): boolean {
  const condition = ctx.get('If-Range');
  if (condition === '') return true;
  if (/^(?:W\/)?"/.test(condition)) return condition === etag;
  return condition === ctx.response.get('Last-Modified');
}

/** The range to answer with, or undefined for the whole file. */
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
