import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Visitor, VisitorListener } from './access/readers.js';
import { SIGN_IN_PATHS } from './agents/private-mcp.js';
import { noteActor, noteUnknown } from './api/actor-of.js';
import { apiOperations, handlerOf } from './api/operations.js';
import { receiveUpload } from './api/uploads/receive-upload.js';
import type { AppParts, OwnRoute } from './app-parts.js';
import { ClientLeft, failureOf, HttpFault } from './errors.js';
import { HostEntrance, hostRoutes } from './hosts/host-entrance.js';
import { ownRoutes } from './own/routes.js';
import { NO_SERVICE_WORKER } from './own/static-files.js';
import { AddressOnHosts } from './public-address.js';
import type { Answer, Asked, Handle } from './response/answer.js';
import { send } from './response/send.js';
import { clientOf } from './server/connections.js';
import { isApiPath, methodClassOf, type RequestNotes } from './server/request-log.js';
import { sites } from './sites/sites.js';

/** Max. time for a body that is read whole, in milliseconds. */
const MAX_BODY_MS = 10_000;

interface State {
  asked: Asked;
}

/** Koa passes on the request alone. A `WeakMap` in place of this field costs the garbage collector a tenth of a page. */
const VISITOR = Symbol('visitor');
type VisitorsRequest = IncomingMessage & { readonly [VISITOR]: Visitor };

/** Creates the handler of all requests: to the main host, and to the hosts of projects where there are any. */
export function listenerOf(parts: AppParts): RequestListener {
  const { at, pages, pagesOnHosts = pages, texts, trustProxy, readers, kept } = parts;
  const { hosts } = at;
  const main = createApp(parts, ownAddresses(parts));
  if (hosts === undefined) return readers.identify(kept.ahead(main, at));
  const entrance = new HostEntrance(hosts, trustProxy);
  const there: AppParts = {
    ...parts,
    at: new AddressOnHosts(at, hosts),
    pages: pagesOnHosts,
    // Texts with other links need other keys.
    texts: { get: (key, ...making) => texts.get(`${key} on hosts`, ...making) },
  };
  const onHosts = createApp(there, routed(hostRoutes(there, entrance)));
  // Where path addresses of sites redirect to hosts, no page is sent at them.
  const onMain = hosts.isRedirecting ? main : kept.ahead(main, at);
  return readers.identify(entrance.between(onMain, kept.ahead(onHosts, there.at)));
}

/**
 * Creates the Koa application: it reads the request, finds a handler by its routers, and carries the answer, which each middleware
 * returns. Does not listen.
 * @param addresses handler of own addresses, ahead of the sites
 */
function createApp(parts: AppParts, addresses: Middleware<State>): VisitorListener {
  const app = new Koa<State>({ proxy: parts.trustProxy });
  app.use((ctx, next) => {
    const { [VISITOR]: visitor } = ctx.req as VisitorsRequest;
    const asked = new KoaRequest(ctx, visitor, parts);
    ctx.set('X-Request-Id', asked.id);
    ctx.state.asked = asked;
    return send(ctx, asked, next(), parts);
  });
  app.use(({ state: { asked } }, next) => {
    const { whose } = asked.visitor;
    if (whose.kind === 'unknown') {
      noteUnknown(asked.notes, whose.error);
      // Before a route is found: whatever is not read is a change.
      if (isApiPath(asked.path) && methodClassOf(asked.method) === 'write') {
        parts.useCases.audit.stranger(failureOf(whose.error).code);
      }
      if (!parts.mcp || !SIGN_IN_PATHS.has(asked.path)) throw whose.error;
    }
    if (whose.kind === 'token' || whose.kind === 'job') noteActor(asked.notes, whose);
    return next();
  });
  app.use((ctx, next) => (isForServiceWorker(ctx) ? Promise.resolve(NO_SERVICE_WORKER) : next()));
  app.use(addresses);
  app.use(answering(sites(parts)));
  // Errors after the response has begun, mostly disconnected clients. The request's log line says `aborted`.
  app.on('error', (error) => parts.logger.info({ err: error }, 'a response was cut short'));
  const run = app.callback();
  return (request, response, visitor) => void run(Object.assign(request, { [VISITOR]: visitor }), response);
}

/** A request that Koa has read. The constructor begins its line in the log. */
class KoaRequest implements Asked {
  readonly notes: RequestNotes = {};
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly target: string;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  private waits: Asked['waiter'] | undefined;

  constructor(
    private readonly ctx: Context,
    readonly visitor: Visitor,
    private readonly parts: AppParts,
  ) {
    this.id = parts.requestLog.begin(ctx.req, ctx.res, this.notes);
    this.method = ctx.method;
    this.path = ctx.path;
    this.target = ctx.req.url ?? '';
    this.search = ctx.search;
    this.headers = ctx.req.headers;
  }

  get query() {
    return this.ctx.query;
  }

  get params() {
    return this.ctx.params;
  }

  get protocol() {
    return this.ctx.protocol;
  }

  get host() {
    return this.ctx.host;
  }

  get client() {
    return this.parts.requestLog.clientOf(this.ctx.req);
  }

  get waiter() {
    if (this.waits !== undefined) return this.waits;
    const { ip, res } = this.ctx;
    const gone = new AbortController();
    if (res.destroyed) gone.abort(new ClientLeft());
    res.once('close', () => gone.abort(new ClientLeft()));
    this.waits = { address: clientOf(ip), signal: gone.signal };
    return this.waits;
  }

  get body(): Asked['body'] {
    const { ctx, parts, headers } = this;
    return {
      isEncoded: (headers['content-encoding'] || 'identity') !== 'identity',
      is: (type) => ctx.is(type) === type,
      text: (maxBytes) => bodyTextOf(ctx.req, ctx.res, maxBytes),
      upload: (actor, uploadVersion) => receiveUpload(ctx, actor, uploadVersion, parts.uploadPace),
    };
  }
}

/**
 * Reads the body, also of a client that waits for `100 Continue`. Does not destroy the request on failure: the response
 * still has to reach the client.
 * @throws HttpFault `invalid_request` when it is too large or too slow
 */
async function bodyTextOf(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<string> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let late: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = (why: string) => reject(new HttpFault('invalid_request', `The body ${why}`));
      late = setTimeout(() => refuse('was sent too slowly'), MAX_BODY_MS);
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) refuse(`is larger than ${maxBytes} bytes`);
        else chunks.push(chunk);
      });
      req.on('end', resolve).on('close', () => refuse('was cut off'));
    });
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether a page asks for the script of a service worker. Browsers mark that (Service Workers, "fetch a classic worker script"). */
function isForServiceWorker({ method, headers, path }: Context): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return Boolean(headers['service-worker']) && isRead && !isApiPath(path);
}

/** A handler as a middleware, which returns the answer. */
function answering(handle: Handle): Middleware<State> {
  return async (ctx, next): Promise<Answer> => (await handle(ctx.state.asked)) ?? next();
}

/** The routers of the API and of the server's own paths. Other reads go to the next middleware. */
function ownAddresses(parts: AppParts): Middleware<State> {
  const api = routedApi(parts);
  const own = routed(ownRoutes(parts));
  return (ctx, next) => (isApiPath(ctx.path) ? api : own)(ctx, next);
}

function routedApi(parts: AppParts): Middleware<State> {
  const router = new Router<State>(OPTIONS);
  for (const operation of apiOperations(parts)) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    router.register(path, [operation.method], [answering(handlerOf(operation, parts.useCases))]);
  }
  return running(router, (ctx) => {
    throw noSuchOperation(router, ctx);
  });
}

function routed(routes: readonly OwnRoute[]): Middleware<State> {
  const router = new Router<State>(OPTIONS);
  for (const route of routes) {
    router.register(
      route.path,
      [...(route.methods ?? ['get'])],
      ['handle' in route ? answering(route.handle) : route.files],
    );
  }
  return running(router, (ctx, next) => {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    throw new HttpFault('method_not_allowed', 'Pages are read-only', { Allow: 'GET, HEAD' });
  });
}

const OPTIONS = { strict: true, sensitive: true };

/** @param unknown handles what no route of the router does */
function running(router: Router<State>, unknown: Middleware<State>): Middleware<State> {
  const run = router.routes();
  return (ctx, next) => run(ctx as Parameters<typeof run>[0], () => unknown(ctx, next));
}

function noSuchOperation(router: Router<State>, { path, method }: Context): HttpFault {
  const { path: layers } = router.match(path, method);
  if (layers.length === 0) {
    return new HttpFault('not_found', 'No such path in the API; see /api/help');
  }
  const allow = [...new Set(layers.flatMap((layer) => layer.methods))].join(', ');
  return new HttpFault('method_not_allowed', `This path supports ${allow}`, { Allow: allow });
}
