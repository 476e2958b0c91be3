import Router from '@koa/router';
import Koa from 'koa';
import { accelRedirect } from './accel-redirect.js';
import { type ApiParts, apiOperations } from './api.js';
import { assets } from './assets.js';
import { HttpFault } from './errors.js';
import { failures, isApiPath } from './failures.js';
import { type OwnPathParts, ownPaths } from './own-paths.js';
import { type RendererFiles, rendererFiles } from './renderer.js';
import { type Logger, type RequestLog, type RequestState, requestLog } from './request-log.js';
import { noServiceWorkers } from './service-workers.js';
import { type SiteParts, sites } from './sites.js';
import { WrittenCache } from './written-cache.js';

export interface AppParts extends ApiParts, SiteParts, OwnPathParts {
  readonly logger: Logger;
  readonly requestLog: RequestLog;
  /** Whether `X-Forwarded-Proto` and `-Host` are believed: only behind a proxy that sets them. */
  readonly trustProxy?: boolean;
  /** Where nginx has the docs directory, for nobody but Lectern: it then sends files that Lectern names. */
  readonly accelRedirect?: string;
  /** A directory whose `-/assets/` holds the files of the server's own pages. */
  readonly publicDirectory: string;
  /** What renders the API reference; undefined when that page is not served. */
  readonly renderer?: RendererFiles;
}

/** The whole HTTP face, as a Koa application. It listens nowhere; see `LecternServer`. */
export function createApp(parts: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>({ proxy: parts.trustProxy ?? false });
  app.use(requestLog(parts.requestLog));
  app.use(async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    await next();
  });
  if (parts.accelRedirect !== undefined) app.use(accelRedirect(parts.accelRedirect));
  app.use(failures(parts.pages, parts.logger));
  app.use(api(parts));
  app.use(onlyReads);
  app.use(noServiceWorkers);
  if (parts.renderer !== undefined) app.use(rendererFiles(parts.renderer));
  app.use(assets(parts.publicDirectory));
  const { written = new WrittenCache() } = parts;
  app.use(ownPaths({ ...parts, written }));
  app.use(sites({ ...parts, written }));
  // Errors after the answer has begun: a client that went away, mostly. The request's line says `aborted`.
  app.on('error', (error) => parts.logger.info({ err: error }, 'an answer was cut short'));
  return app;
}

/** Outside of the API there is nothing but what can be read. */
const onlyReads: Koa.Middleware = async (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    throw new HttpFault('method_not_allowed', 'Pages can only be read', { Allow: 'GET, HEAD' });
  }
  await next();
};

function api(parts: ApiParts): Koa.Middleware {
  const router = new Router({ strict: true });
  for (const { method, path, handle } of apiOperations(parts)) {
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], [handle]);
  }
  const run = router.routes();
  const refuse = async (ctx: Koa.Context) => {
    const { path } = router.match(ctx.path, ctx.method);
    if (path.length === 0)
      throw new HttpFault('not_found', 'There is no such path in the API; /api/help has them all');
    const allow = [...new Set(path.flatMap((layer) => layer.methods))].join(', ');
    throw new HttpFault('method_not_allowed', `This path takes ${allow}`, { Allow: allow });
  };
  return async (ctx, next) =>
    isApiPath(ctx.path) ? run(ctx as Parameters<typeof run>[0], () => refuse(ctx)) : next();
}
