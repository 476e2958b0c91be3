import type { RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { privateResponses } from './access/private-responses.js';
import { actorOf } from './api/actor-of.js';
import type { ApiOperation } from './api/api-operation.js';
import { apiOperations } from './api/operations.js';
import type { AppParts } from './app-parts.js';
import { ClientLeft, HttpFault } from './errors.js';
import { failures, isApiPath } from './failures.js';
import type { FastLane } from './fast-lane/fast-lane.js';
import { HostEntrance } from './hosts/host-entrance.js';
import { allowHosts, hostRoutes } from './hosts/host-routes.js';
import { mcpEndpoint } from './mcp/mcp-endpoint.js';
import { type OwnRoute, ownRoutes } from './own/routes.js';
import { noServiceWorkers } from './own/service-workers.js';
import { AddressOnHosts } from './public-address.js';
import { setCachePolicy } from './response/cache-policy.js';
import { sendEarly } from './response/send-early.js';
import { type RequestState, requestLog } from './server/request-log.js';
import { Seen, type SeenBy } from './server/seen.js';
import { accelRedirect } from './sites/accel-redirect.js';
import { indexNothing } from './sites/indexing.js';
import { sites } from './sites/sites.js';

/** Creates the handler of all requests: to the main host, and to the hosts of projects where there are any. */
export function listenerOf(parts: AppParts, lane: FastLane, seenBy: SeenBy): RequestListener {
  const { at, seen, pages, pagesOnHosts = pages, texts, trustProxy, readers } = parts;
  const { hosts } = at;
  const own = [...(parts.mcp ? [mcpEndpoint(parts)] : []), ownAddresses(parts)];
  if (hosts === undefined) return readers.identify(lane.ahead(createApp(parts, own).callback(), seen));
  const { isRedirecting } = hosts;
  const main = createApp(parts, own);
  const entrance = new HostEntrance(hosts, (request) => readers.readerOf(request), seenBy, trustProxy);
  const there: AppParts = {
    ...parts,
    seen: new Seen(seenBy, (request) => entrance.readerOf(request)),
    at: new AddressOnHosts(at, hosts),
    pages: pagesOnHosts,
    keep: lane.keep('hosts'),
    // Texts with other links need other keys.
    texts: { get: (key, ...making) => texts.get(`${key} on hosts`, ...making) },
  };
  const onHosts = createApp(there, [routed(hostRoutes(there, entrance))]);
  // Where path addresses of sites redirect to hosts, no page is sent at them.
  const onMain = isRedirecting ? main.callback() : lane.ahead(main.callback(), seen);
  const entered = entrance.between(onMain, lane.ahead(onHosts.callback(), there.seen, 'hosts'));
  return readers.identify(entered);
}

/**
 * Creates the Koa application: own addresses, and sites. Does not listen.
 * @param addresses handlers of own addresses, ahead of the sites
 */
function createApp(parts: AppParts, addresses: readonly Middleware[]): Koa<RequestState> {
  const app = new Koa<RequestState>({ proxy: parts.trustProxy });
  app.use(requestLog(parts.requestLog));
  app.use(sendEarly);
  app.use((ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    setCachePolicy(ctx, 'never');
    return next();
  });
  if (!parts.isIndexed) app.use(indexNothing);
  app.use(parts.keep);
  if (parts.readers.areDifferent) app.use(privateResponses(parts.readers));
  if (parts.counting !== undefined) app.use(parts.counting);
  if (parts.accelRedirect !== undefined) {
    app.use(accelRedirect(parts.accelRedirect));
  }
  if (parts.at.hosts !== undefined) app.use(allowHosts(parts.at.hosts));
  app.use(failures(parts));
  app.use(parts.readers.refuseUnknown);
  app.use(noServiceWorkers);
  for (const each of addresses) app.use(each);
  app.use(sites(parts));
  // Errors after the response has begun, mostly disconnected clients. The request's log line says `aborted`.
  app.on('error', (error) => parts.logger.info({ err: error }, 'an answer was cut short'));
  return app;
}

/** The routers of the API and of the server's own paths. Other reads go to the next middleware. */
function ownAddresses(parts: AppParts): Middleware {
  const api = routedApi(parts);
  const own = routed(ownRoutes(parts));
  return (ctx, next) => (isApiPath(ctx.path) ? api : own)(ctx, next);
}

function routedApi(parts: AppParts): Middleware {
  const router = new Router(OPTIONS);
  for (const operation of apiOperations(parts)) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    router.register(path, [operation.method], [handlerOf(operation, parts)]);
  }
  return running(router, (ctx) => {
    throw noSuchOperation(router, ctx);
  });
}

function routed(routes: readonly OwnRoute[]): Middleware {
  const router = new Router(OPTIONS);
  for (const { path, handle } of routes) router.register(path, ['get'], [handle]);
  return running(router, (ctx, next) => {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    throw new HttpFault('method_not_allowed', 'Pages can only be read', { Allow: 'GET, HEAD' });
  });
}

const OPTIONS = { strict: true, sensitive: true };

/** @param unknown handles what no route of the router does */
function running(router: Router, unknown: Middleware): Middleware {
  const run = router.routes();
  return (ctx, next) => run(ctx as Parameters<typeof run>[0], () => unknown(ctx, next));
}

/** Finds out who asks before an operation that needs a token begins. */
function handlerOf(
  operation: ApiOperation,
  { readers, useCases }: AppParts,
): (ctx: Context) => Promise<void> {
  if (!operation.needsToken) return operation.handle;
  return async (ctx) => {
    const actor = await actorOf(ctx, readers.credentialIn(ctx.req), useCases.authenticate);
    // Nothing is begun for a client that did not wait.
    if (ctx.res.destroyed) throw new ClientLeft();
    await operation.handle(ctx, actor);
  };
}

function noSuchOperation(router: Router, ctx: Context): HttpFault {
  const { path } = router.match(ctx.path, ctx.method);
  if (path.length === 0) {
    return new HttpFault('not_found', 'There is no such path in the API; /api/help has them all');
  }
  const allow = [...new Set(path.flatMap((layer) => layer.methods))].join(', ');
  return new HttpFault('method_not_allowed', `This path takes ${allow}`, { Allow: allow });
}
