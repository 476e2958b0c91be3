import type { Middleware } from 'koa';
import { isApiPath } from '../failures.js';
import { setCachePolicy } from '../response/cache-policy.js';

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

/** Refuses service workers. Browsers mark requests for them (Service Workers, "fetch a classic worker script"). */
export const noServiceWorkers: Middleware = (ctx, next) => {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (ctx.get('Service-Worker') === '' || !isRead || isApiPath(ctx.path)) return next();
  setCachePolicy(ctx, 'never');
  ctx.type = 'text/javascript; charset=utf-8';
  ctx.body = REPLACEMENT;
};
