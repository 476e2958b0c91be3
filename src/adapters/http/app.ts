import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { apiOperations } from './api/operations.js';
import type { AppParts } from './app-parts.js';
import { HttpFault } from './errors.js';
import { failures, isApiPath } from './failures.js';
import { ownRoutes } from './own/routes.js';
import { noServiceWorkers } from './own/service-workers.js';
import { type RequestState, requestLog } from './server/request-log.js';
import { accelRedirect } from './sites/accel-redirect.js';
import { sites } from './sites/sites.js';

/** Creates the Koa application: API, own pages and sites. Does not listen. */
export function createApp(parts: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>({ proxy: parts.trustProxy });
  app.use(requestLog(parts.requestLog));
  app.use(async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    await next();
  });
  app.use(parts.keep);
  if (parts.accelRedirect !== undefined) app.use(accelRedirect(parts.accelRedirect));
  app.use(failures(parts.pages, parts.logger));
  app.use(noServiceWorkers);
  app.use(ownAddresses(parts));
  app.use(sites(parts));
  // Errors after the response has begun, mostly disconnected clients. The request's log line says `aborted`.
  app.on('error', (error) => parts.logger.info({ err: error }, 'an answer was cut short'));
  return app;
}

/** The router of the server's own paths. Other reads go to the next middleware. */
function ownAddresses(parts: AppParts): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  for (const { method, path, handle } of apiOperations(parts)) {
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], [handle]);
  }
  for (const { path, handle } of ownRoutes(parts)) router.register(path, ['get'], [handle]);
  const run = router.routes();
  const unknown = (ctx: Context, next: () => Promise<unknown>) => {
    if (isApiPath(ctx.path)) throw noSuchOperation(router, ctx);
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    throw new HttpFault('method_not_allowed', 'Pages can only be read', { Allow: 'GET, HEAD' });
  };
  return async (ctx, next) => run(ctx as Parameters<typeof run>[0], () => unknown(ctx, next));
}

function noSuchOperation(router: Router, ctx: Context): HttpFault {
  const { path } = router.match(ctx.path, ctx.method);
  if (path.length === 0) {
    return new HttpFault('not_found', 'There is no such path in the API; /api/help has them all');
  }
  const allow = [...new Set(path.flatMap((layer) => layer.methods))].join(', ');
  return new HttpFault('method_not_allowed', `This path takes ${allow}`, { Allow: allow });
}
