import type { Middleware } from 'koa';
import { CACHE_CONTROL, setCachePolicy } from '../response/cache-policy.js';
import type { RequestState } from '../server/request-log.js';
import type { Readers } from './readers.js';

/** Policies of files that are the same for everybody. */
const OF_FILES: readonly string[] = [CACHE_CONTROL.immutable, CACHE_CONTROL.siteScript];

/**
 * Keeps responses that depend on the reader out of shared caches, and out of pages of other origins. Responses about a public
 * project stay as they are: everybody gets the same.
 */
export function privateResponses(readers: Readers): Middleware<RequestState> {
  const names = ['X-Token', 'Authorization', ...(readers.people?.headers ?? [])];
  return async (ctx, next) => {
    await next();
    const { about } = ctx.state;
    const policy = ctx.response.get('Cache-Control');
    if (OF_FILES.includes(policy) || (about !== undefined && readers.isPublic(about))) return;
    ctx.vary(names);
    if (readers.isOfNobody(ctx.req)) return;
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (policy === CACHE_CONTROL.revalidate) setCachePolicy(ctx, 'private');
  };
}
