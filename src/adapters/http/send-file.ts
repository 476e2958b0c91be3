import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import fresh from 'fresh';
import type { Context } from 'koa';
import type { ByteRange, StoredFile } from '../../application/index.js';
import { noteStored } from './accel-redirect.js';
import { preferredEncoding } from './accept-encoding.js';
import { parseByteRange } from './byte-range.js';
import { HttpFault } from './errors.js';
import { gzippedStream } from './gzip.js';
import { isLendable, LentBody } from './lent-body.js';
import { Representation } from './representation.js';

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
    const representation = new Representation(file, name);
    // A range is one of the file itself, never of its compressed form.
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
    const sent = range ?? { start: 0, end: file.size - 1 };
    if (range !== undefined) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
    if (ctx.method === 'HEAD') await file.close();
    else {
      const body = bodyOf(file, sent);
      if (ctx.status === 200 && file.storedAt !== undefined) noteStored(body, file.storedAt);
      ctx.body = body;
    }
    // Koa sets the length of bodies that it can measure; a stream is none.
    ctx.length = sent.end + 1 - sent.start;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function bodyOf(file: StoredFile, range: ByteRange): Readable {
  const length = range.end + 1 - range.start;
  return isLendable(file, length) ? new LentBody(file, range) : readable(file.stream(range));
}

async function sendCompressed(ctx: Context, file: StoredFile): Promise<void> {
  const ready = await file.gzipped?.();
  ctx.set('Content-Encoding', 'gzip');
  if (ready !== undefined) {
    await file.close();
    if (ctx.method === 'HEAD') await ready.close();
    else ctx.body = readable(ready.stream());
    ctx.length = ready.size;
  } else if (ctx.method === 'HEAD') await file.close();
  else ctx.body = gzippedStream(readable(file.stream()));
}

function readable(bytes: AsyncIterable<Uint8Array>): Readable {
  return bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
}

/**
 * RFC 9110 section 13.2.2. `Cache-Control: no-cache` in a request asks caches, not us: it stays out.
 * @param lastModified as the header has it, where there is one
 */
export function isFresh(headers: IncomingHttpHeaders, etag: string, lastModified = ''): boolean {
  return fresh(
    { 'if-none-match': headers['if-none-match'], 'if-modified-since': headers['if-modified-since'] },
    { etag, 'last-modified': lastModified },
  );
}

/** RFC 9110 section 13.1.5: a strong ETag or the exact date, else the whole file. */
function mayUseRange(ctx: Context, representation: Representation): boolean {
  const condition = ctx.get('If-Range');
  if (condition === '') return true;
  if (/^(?:W\/)?"/.test(condition)) return condition === representation.etag('identity');
  return condition === representation.lastModified;
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
