import type { Context, Middleware } from 'koa';
import type { VisibleCatalogue } from '../../../domain/index.js';
import { bodyTextOf } from '../api/json-body.js';
import type { AppParts } from '../app-parts.js';
import { waiterOf } from '../client-of.js';
import { ClientLeft, HttpFault } from '../errors.js';
import { hostTableOf } from '../hosts/project-hosts.js';
import type { PublicAddress } from '../public-address.js';
import { setCachePolicy } from '../response/cache-policy.js';
import { answerEarly } from '../response/send-early.js';
import { answerFormFor } from './answer-form.js';
import { INTERNAL_ERROR, INVALID_REQUEST, MCP_PATH, rpcErrorOf } from './rpc-error.js';

const MAX_BYTES = 64 * 1024;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `POST /-/mcp`: the Model Context Protocol, stateless. Its SDK is loaded with the first request. */
export function mcpEndpoint({ useCases, seen, readers, at, version, logger }: AppParts): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== MCP_PATH) return next();
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST');
      return sendFault(ctx, 405, INVALID_REQUEST, 'Send a POST with one JSON-RPC message');
    }
    if (!isAllowedOrigin(ctx.get('Origin'), at)) {
      return sendFault(ctx, 403, INVALID_REQUEST, 'Pages of this origin may not ask');
    }
    const form = answerFormFor(ctx);
    if (form === undefined)
      return sendFault(ctx, 406, INVALID_REQUEST, 'Accept application/json or text/event-stream');
    const waiter = waiterOf(ctx);
    try {
      const body = await bodyOf(ctx);
      if (body === undefined) return;
      // One request would do the work of a hundred. The protocol has no batches since its revision 2025-06-18.
      if (/^\s*\[/.test(body)) {
        return sendFault(ctx, 400, INVALID_REQUEST, 'Batches are not taken; send each message by itself');
      }
      const { answerMcp } = await import('./mcp-handler.js');
      const caller = {
        look: () => seen.now(ctx),
        byPath: (address: string) => addressByPath(address, at, seen.now(ctx)),
        isRestricted: readers.areDifferent,
        waiter,
        failed: (error: unknown) => {
          if (!waiter.signal.aborted)
            logger.error({ err: error }, 'a call of the Model Context Protocol failed');
        },
      };
      const request = requestOf(ctx, body, waiter.signal);
      const response = await answerMcp(useCases.agentTools, version, caller, request, form);
      ctx.status = response.status;
      for (const [name, value] of response.headers) ctx.set(name, value);
      setCachePolicy(ctx, 'never');
      // Proxies would hold back the event that old clients wait for.
      ctx.set('X-Accel-Buffering', 'no');
      const bytes = Buffer.from(await response.arrayBuffer());
      ctx.body = bytes;
      // A notification is answered without a body, and so without its type.
      if (bytes.length === 0) ctx.remove('Content-Type');
    } catch (error) {
      if (ctx.res.destroyed) throw new ClientLeft();
      logger.error({ err: error }, 'a call of the Model Context Protocol failed');
      sendFault(ctx, 500, INTERNAL_ERROR, 'The server failed');
    }
  };
}

/** The body; undefined when it was refused. */
async function bodyOf(ctx: Context): Promise<string | undefined> {
  if ((ctx.get('Content-Encoding') || 'identity') !== 'identity') {
    sendFault(ctx, 415, INVALID_REQUEST, 'Send the body uncompressed');
    return undefined;
  }
  try {
    return await bodyTextOf(ctx, MAX_BYTES);
  } catch (error) {
    if (!(error instanceof HttpFault) || ctx.res.destroyed) throw error;
    sendFault(ctx, 413, INVALID_REQUEST, error.message);
    return undefined;
  }
}

/** An origin is sent by browsers only: pages of other sites must not ask for whoever looks at them. */
function isAllowedOrigin(origin: string, at: PublicAddress): boolean {
  if (origin === '') return true;
  if (!URL.canParse(origin)) return false;
  const { fixed } = at;
  const asked = new URL(origin);
  return fixed === undefined ? LOOPBACK.has(asked.hostname) : asked.origin === new URL(fixed).origin;
}

function requestOf({ headers }: Context, body: string, signal: AbortSignal): Request {
  // The SDK takes no other spelling; which of both is sent has been decided.
  const passed = new Headers({ Accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(headers)) {
    if (/^(?:content-type|mcp-.*)$/.test(name) && typeof value === 'string') passed.set(name, value);
  }
  return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers: passed, body, signal });
}

function sendFault(ctx: Context, status: number, code: number, message: string): void {
  ctx.status = status;
  ctx.type = 'application/json; charset=utf-8';
  answerEarly(ctx, rpcErrorOf(code, message));
}

/**
 * Returns the address of a page without the base path, and for a page on the host of a project its path address,
 * `http://<host>/<version_dir>/<path>`. What is no address stays as it is.
 */
function addressByPath(given: string, at: PublicAddress, seen: VisibleCatalogue): string {
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return given;
  const { origin, host, pathname, search, hash } = new URL(given);
  const label = at.hosts?.labelIn(host);
  const directory = label === undefined ? undefined : hostTableOf(seen).directoryAt(label);
  return (
    origin + (directory === undefined ? at.within(pathname) : `/${directory}${pathname}`) + search + hash
  );
}
