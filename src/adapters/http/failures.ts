import type { Context, Middleware } from 'koa';
import type { Body } from '../../formats/api/bodies.js';
import type { AppParts } from './app-parts.js';
import { ClientLeft, type Failure, failureOf, titleOf } from './errors.js';
import { INTERNAL_ERROR, INVALID_REQUEST, MCP_PATH, rpcErrorOf } from './mcp/rpc-error.js';
import { OWN_PAGE_HEADERS } from './own/own-page.js';
import { setCachePolicy } from './response/cache-policy.js';
import { answerEarly } from './response/send-early.js';
import type { RequestState } from './server/request-log.js';

type FailureParts = Pick<AppParts, 'pages' | 'logger' | 'requestLog' | 'readers' | 'at'>;

/** Whether a path belongs to the API, whose failures are JSON. */
export function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/**
 * Returns the body of a failure on a path for programs, whatever they accept: the API's own, JSON-RPC's at `/-/mcp`. Undefined on
 * other paths, which show a page.
 */
export function jsonFailure(path: string, { status, code, message, warnings }: Failure): string | undefined {
  if (isApiPath(path)) {
    const body: Body<'Failure'> = {
      success: false,
      error: code,
      message,
      warnings: warnings && [...warnings],
    };
    return JSON.stringify(body);
  }
  if (path !== MCP_PATH && !path.startsWith(`${MCP_PATH}/`)) return undefined;
  return rpcErrorOf(status < 500 ? INVALID_REQUEST : INTERNAL_ERROR, message, code);
}

/** Converts errors of later middleware into responses: JSON on paths for programs, a page elsewhere. */
export function failures(parts: FailureParts): Middleware<RequestState> {
  const { logger, requestLog } = parts;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientLeft) {
        ctx.respond = false;
        return;
      }
      const failure = failureOf(error);
      const { notes, requestId } = ctx.state;
      notes.refusal = failure.code;
      if (failure.status === 500) logger.error({ requestId, err: error }, 'failed');
      else if (failure.code === 'unavailable' || failure.code === 'insufficient_storage') {
        const { cause } = error as Error;
        // Without a cause it is meant: a line is full, say. Its stack would tell nothing.
        if (cause !== undefined) logger.warn({ requestId, err: cause }, failure.code);
        else if (requestLog.hasReasons) notes.reason = failure.message;
        else logger.warn({ requestId, reason: failure.message }, failure.code);
      }
      if (ctx.res.headersSent) ctx.res.destroy();
      else answer(ctx, failure, parts);
    }
  };
}

function answer(ctx: Context, failure: Failure, parts: FailureParts): void {
  // Headers of the response that failed do not apply to this one.
  for (const name of [
    'ETag',
    'Last-Modified',
    'Content-Disposition',
    'Content-Encoding',
    'Accept-Ranges',
    'Vary',
    'Link',
  ]) {
    ctx.remove(name);
  }
  ctx.status = failure.status;
  setCachePolicy(ctx, 'never');
  ctx.set(failure.headers);
  const json = jsonFailure(ctx.path, failure);
  if (json === undefined) ctx.set(OWN_PAGE_HEADERS);
  else ctx.type = 'application/json; charset=utf-8';
  answerEarly(ctx, json ?? pageOf(ctx, failure, parts));
}

function pageOf(ctx: Context, { status, message }: Failure, { pages, readers, at }: FailureParts): string {
  const requestId: string = ctx.state.requestId;
  const signIn = status === 404 ? readers.signInFor(ctx, at) : undefined;
  return pages.failure({
    status,
    title: titleOf(status),
    message,
    ...(status === 500 ? { requestId } : {}),
    signIn,
  });
}
