import { type IncomingHttpHeaders, METHODS } from 'node:http';
import type { VisibleCatalogue } from '../../../domain/index.js';
import type { AppParts, OwnRoute } from '../app-parts.js';
import { HttpFault, INTERNAL_ERROR, INVALID_REQUEST, MCP_PATH, rpcErrorOf } from '../errors.js';
import { hostTableOf } from '../hosts/project-hosts.js';
import { isLoopback, type PublicAddress } from '../public-address.js';
import { type Answer, type Handle, JSON_TYPE } from '../response/answer.js';
import { MAX_NEGOTIATED, preferredType } from '../response/negotiation.js';
import type { AnswerForm } from './mcp-handler.js';
import { privateMcpRoutes } from './private-mcp.js';
import type { Tools } from './tools.js';

const MAX_BYTES = 64 * 1024;

// With the parameter that both types may be sent with: a client may name it, and one that names none means them as well.
const SSE_TYPE = 'text/event-stream; charset=utf-8';
/** Both types without a weight, as the protocol asks of clients. */
const BOTH = ['application/json', 'text/event-stream'].map((type) =>
  RegExp(`(?:^|,)\\s*${type}\\s*(?:,|$)`, 'i'),
);

/**
 * `POST /-/mcp` and `POST /-/mcp/private`: the Model Context Protocol, stateless. The SDK is loaded with the first request.
 * @param tools returns the tools of all features
 */
export function mcpRoutes(parts: AppParts, tools: () => Tools): readonly OwnRoute[] {
  const handle = answering(parts, tools);
  const isAllowed = (origin = '') => isAllowedOrigin(origin, parts.at);
  return [{ path: MCP_PATH, methods: METHODS, handle }, ...privateMcpRoutes(parts, handle, isAllowed)];
}

function answering({ readers, at, version, logger }: AppParts, tools: () => Tools): Handle {
  return async ({ method, headers, body, visitor, waiter }) => {
    if (!isAllowedOrigin(headers.origin ?? '', at))
      return fault(403, 'Requests from this origin are not allowed');
    if (method !== 'POST') {
      return { ...fault(405, 'Send a POST with one JSON-RPC message'), headers: { Allow: 'POST' } };
    }
    const form = answerFormFor(headers);
    if (form === undefined) return fault(406, 'Accept application/json or text/event-stream');
    if (body.isEncoded) return fault(415, 'Send the body uncompressed');
    const failed = (error: unknown) => {
      if (!waiter.signal.aborted) logger.error({ err: error }, 'an MCP request failed');
    };
    try {
      const message = await body.text(MAX_BYTES);
      // A batch would do the work of a hundred requests. The protocol has none since its revision 2025-06-18.
      if (/^\s*\[/.test(message))
        return fault(400, 'Batches are not supported; send each message separately');
      const { answerMcp } = await import('./mcp-handler.js');
      const caller = {
        look: () => visitor.look(),
        byPath: (address: string) => addressByPath(address, at, visitor.look()),
        isRestricted: readers.areDifferent,
        waiter,
        failed,
      };
      const request = requestOf(headers, message, waiter.signal);
      return await answerOf(await answerMcp(tools(), version, caller, request, form));
    } catch (error) {
      waiter.signal.throwIfAborted();
      // The body is too large or too slow.
      if (error instanceof HttpFault) return fault(413, error.message);
      failed(error);
      return fault(500, 'The server failed');
    }
  };
}

function fault(status: number, message: string): Answer {
  const content = rpcErrorOf(status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, message);
  return { status, cache: 'never', body: { type: JSON_TYPE, content } };
}

/** Returns the form that a client accepts (RFC 9110 section 12.5.1), JSON where it has no preference; undefined for neither. */
function answerFormFor(headers: IncomingHttpHeaders): AnswerForm | undefined {
  const { accept = '' } = headers;
  if (accept.length <= MAX_NEGOTIATED && BOTH.every((type) => type.test(accept))) return 'either';
  const preferred = preferredType(headers, JSON_TYPE, SSE_TYPE);
  if (preferred === undefined) return undefined;
  return preferred === JSON_TYPE ? 'json' : 'sse';
}

/** Only browsers send an origin: pages of other sites must not send requests on behalf of their readers. */
function isAllowedOrigin(origin: string, at: PublicAddress): boolean {
  if (origin === '') return true;
  if (!URL.canParse(origin)) return false;
  const { fixed } = at;
  const asked = new URL(origin);
  return fixed === undefined ? isLoopback(asked) : asked.origin === new URL(fixed).origin;
}

function requestOf(headers: IncomingHttpHeaders, body: string, signal: AbortSignal): Request {
  // The SDK takes no other spelling; `answerFormFor` has decided which of both types is sent.
  const passed = new Headers({ Accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(headers)) {
    if (/^(?:content-type|mcp-.*)$/.test(name) && typeof value === 'string') passed.set(name, value);
  }
  return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers: passed, body, signal });
}

/** Returns the SDK's response as an answer, which no cache keeps. The connection is Node's to keep or close (RFC 9112 section 9.6). */
async function answerOf(response: Response): Promise<Answer> {
  const {
    'content-type': type = JSON_TYPE,
    'cache-control': _cache,
    connection: _connection,
    'x-accel-buffering': _buffering,
    ...headers
  } = Object.fromEntries(response.headers);
  const content = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    cache: 'never',
    // Proxies would hold back the event that old clients wait for.
    headers: { ...headers, 'X-Accel-Buffering': 'no' },
    // A notification is answered without a body, and so without its type.
    body: content.length === 0 ? undefined : { type, content },
  };
}

/**
 * Returns the address of a page without the base path, and for a page on the host of a project its path address,
 * `http://<host>/<version_dir>/<path>`. Other texts stay as they are.
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
