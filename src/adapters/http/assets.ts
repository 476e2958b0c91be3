import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import serveStatic from 'koa-static';
import { preferredEncoding } from './accept-encoding.js';
import { HttpFault } from './errors.js';
import { gzippedStream } from './gzip.js';
import { isCompressible } from './representation.js';
import { isFresh } from './send-file.js';

/** Every page of every site asks for these: browsers need not ask again at once. */
const SCRIPTS_FOR_SITES: readonly string[] = ['/-/switcher.js', '/-/readthedocs.js'];
const SITE_SCRIPT_CACHE = 'max-age=600';

/**
 * koa-static answers `/-/assets/…`, and the scripts that sites may use, from the public directory. It knows no ETag,
 * so the date has to do, and no compression of its own.
 */
export function assets(directory: string): Middleware {
  const serve = serveStatic(directory, { index: false, gzip: false, brotli: false });
  return async (ctx, next) => {
    const isForSites = SCRIPTS_FOR_SITES.includes(ctx.path);
    if (!isForSites && !ctx.path.startsWith('/-/assets/')) return next();
    await serve(ctx, async () => {});
    if (ctx.status === 404) throw new HttpFault('not_found', 'There is nothing at this path');
    ctx.set('Cache-Control', isForSites ? SITE_SCRIPT_CACHE : 'no-cache');
    if (ctx.status === 200 && isFresh(ctx.headers, '', ctx.response.get('Last-Modified'))) ctx.status = 304;
    else compress(ctx);
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
