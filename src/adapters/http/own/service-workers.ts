import type { Middleware } from 'koa';
import { isApiPath } from '../failures.js';

/**
 * Answer to whoever asks for the script of a service worker, on whatever path: a worker that replaces the one that is
 * registered there, answers nothing, and ends its own registration.
 *
 * The worker of a hosted site could put any header on the pages below its site. With `Cross-Origin-Opener-Policy:
 * same-origin` such a page keeps hold of a window that shows a page of ours where people type tokens. It would also
 * stay in browsers when its version is replaced or deleted.
 */
const REPLACEMENT = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(registration.unregister()));
`;

/** Refuses service workers. Browsers mark the request for one (Service Workers, "fetch a classic worker script"). */
export const noServiceWorkers: Middleware = async (ctx, next) => {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (ctx.get('Service-Worker') === '' || !isRead || isApiPath(ctx.path)) return next();
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'text/javascript; charset=utf-8';
  ctx.body = REPLACEMENT;
};
