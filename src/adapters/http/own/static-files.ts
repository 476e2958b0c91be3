import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { HttpFault } from '../errors.js';
import { preferredEncoding } from '../response/accept-encoding.js';
import { isFresh } from '../response/freshness.js';
import { gzippedStream } from '../response/gzip.js';
import { isCompressible } from '../response/representation.js';

/** Scripts that pages of sites load: every page asks for these, and browsers need not ask again at once. */
export const SITE_SCRIPTS: readonly string[] = ['/-/switcher.js', '/-/readthedocs.js'];
const SITE_SCRIPT_CACHE = 'max-age=600';

/**
 * koa-static answers `/-/assets/…`, and the scripts that sites may use, from the public directory. It knows no ETag,
 * so the date has to do, and no compression of its own.
 */
export function staticFiles(directory: string): Middleware {
  const serve = filesBelow(directory);
  return async (ctx) => {
    await serve(ctx, async () => {});
    if (ctx.status === 404) throw new HttpFault('not_found', 'There is nothing at this path');
    ctx.set('Cache-Control', SITE_SCRIPTS.includes(ctx.path) ? SITE_SCRIPT_CACHE : 'no-cache');
    if (ctx.status === 200 && isFresh(ctx.headers, '', ctx.response.get('Last-Modified'))) ctx.status = 304;
    else compress(ctx);
  };
}

/** koa-static on a directory. The first request loads it: a start is sooner done without its twenty modules. */
export function filesBelow(directory: string): Middleware {
  let serve: Middleware | undefined;
  return async (ctx, next) => {
    serve ??= (await import('koa-static')).default(directory, { index: false, gzip: false, brotli: false });
    return serve(ctx, next);
  };
}

/** Compresses text on its way out, for those who understand it. */
export function compress(ctx: Context): void {
  if (!(ctx.body instanceof Readable) || !isCompressible(ctx.type)) return;
  ctx.vary('Accept-Encoding');
  if (preferredEncoding(ctx.headers) !== 'gzip') return;
  ctx.set('Content-Encoding', 'gzip');
  ctx.remove('Content-Length');
  ctx.body = gzippedStream(ctx.body);
}
