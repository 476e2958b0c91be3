import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { contentTypeOf } from '../../../node/content-type.js';
import { HttpFault } from '../errors.js';
import { preferredEncoding } from '../response/accept-encoding.js';
import { type CachePolicy, setCachePolicy } from '../response/cache-policy.js';
import { isFresh } from '../response/freshness.js';
import { gzippedStream } from '../response/gzip.js';
import { isCompressible } from '../response/representation.js';
import { sendText, Text } from '../response/send-text.js';

/** Routes of the scripts for pages of hosted sites. */
export const SITE_SCRIPTS = ['/-/switcher.js', '/-/switcher/:module.js', '/-/readthedocs.js'];

/**
 * Serves files of the public directory by koa-static. It sets no ETag, so the date has to do, and does not compress.
 */
export function staticFiles(directory: string, policy: CachePolicy): Middleware {
  let serve: Middleware | undefined;
  return async (ctx) => {
    // Loaded by the first request: its twenty modules would delay the start.
    serve ??= (await import('koa-static')).default(directory, { index: false, gzip: false, brotli: false });
    await serve(ctx, async () => {});
    if (ctx.status === 404) throw new HttpFault('not_found', 'There is nothing at this path');
    setCachePolicy(ctx, policy);
    if (ctx.status === 200 && isFresh(ctx.headers, '', ctx.response.get('Last-Modified'))) ctx.status = 304;
    else compress(ctx);
  };
}

/** A small file that is kept in memory: of the site file, such as the logo, or of a package for the server's own pages. */
export interface KeptFile {
  /** Path of its address, without the base path. */
  readonly path: string;
  readonly content: Buffer;
  /** Whether its address changes with its content. */
  readonly isImmutable?: true;
}

/** Serves a file by the extension of its path. An SVG that is opened by itself runs nothing, and loads nothing. */
export function keptFile({ path, content, isImmutable }: KeptFile): Middleware {
  const type = contentTypeOf(path);
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const text = new Text(content, type, { 'Content-Security-Policy': policy });
  return async (ctx) => sendText(ctx, text, isImmutable ? 'immutable' : 'revalidate');
}

/** Compresses a text response if the client accepts gzip. */
function compress(ctx: Context): void {
  if (!(ctx.body instanceof Readable) || !isCompressible(ctx.type)) return;
  ctx.vary('Accept-Encoding');
  if (preferredEncoding(ctx.headers) !== 'gzip') return;
  ctx.set('Content-Encoding', 'gzip');
  ctx.remove('Content-Length');
  ctx.body = gzippedStream(ctx.body);
}
