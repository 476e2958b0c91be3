import { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { contentTypeOf } from '../../../node/content-type.js';
import { HttpFault } from '../errors.js';
import { type Answer, type CachePolicy, type Handle, plainAnswer, textAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';

/** Answers with files of the public directory by koa-static. It sets no ETag, so the date has to do, and does not compress. */
export function staticFiles(directory: string, cache: CachePolicy): Middleware {
  let find: Middleware | undefined;
  return async (ctx): Promise<Answer> => {
    // Loaded by the first request: its twenty modules would delay the start.
    find ??= (await import('koa-static')).default(directory, { index: false, gzip: false, brotli: false });
    await find(ctx, async () => {});
    const { body: stream, response } = ctx;
    if (!(stream instanceof Readable)) throw new HttpFault('not_found', 'There is nothing at this path');
    const [type, size] = [response.get('Content-Type'), response.length];
    const headers = { 'Last-Modified': response.get('Last-Modified') };
    // `send` sets these headers.
    for (const name of ['Content-Type', 'Content-Length', 'Last-Modified']) response.remove(name);
    return { status: 200, cache, headers, body: { type, stream, ...(size === undefined ? {} : { size }) } };
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

/** Answers with a file by the extension of its path. An SVG that is opened by itself runs nothing, and loads nothing. */
export function keptFile({ path, content, isImmutable }: KeptFile): Handle {
  const type = contentTypeOf(path);
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const text = new Text(content, type, { 'Content-Security-Policy': policy });
  return async () => textAnswer(text, isImmutable ? 'immutable' : 'revalidate');
}

/**
 * Script sent for every request for a service worker: it replaces a registered worker, handles nothing, and unregisters
 * itself.
 *
 * The worker of a hosted site could set any header on the pages below its site. With `Cross-Origin-Opener-Policy:
 * same-origin` such a page keeps hold of a window that shows one of the server's own pages, where people type tokens.
 * It would also stay in browsers when its version is replaced or deleted.
 */
const REPLACEMENT = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(registration.unregister()));
`;

/** Answer to all requests for service workers. */
export const NO_SERVICE_WORKER: Answer = {
  ...plainAnswer(REPLACEMENT, 'text/javascript; charset=utf-8'),
  cache: 'never',
};
