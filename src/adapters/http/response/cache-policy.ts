import type { Context } from 'koa';

/** Values of `Cache-Control` (RFC 9111 section 5.2.2) by policy. No other file of this adapter has one. */
export const CACHE_CONTROL = {
  /** Kept, and revalidated before each use: a publication may change it. */
  revalidate: 'no-cache',
  /** The same, kept by the reader's own client only. */
  private: 'private, no-cache',
  /** Scripts that every page of a site with the switcher requests. */
  siteScript: 'max-age=600',
  /** Files whose address changes with their content. */
  immutable: 'public, max-age=31536000, immutable',
  /** Kept nowhere: failures, and what is for one client or one moment. */
  never: 'no-store',
} as const;

/** How clients and shared caches may keep a response: `never`, unless a handler sets another policy. */
export type CachePolicy = keyof typeof CACHE_CONTROL;

/** Sets the policy of a response. The last one set counts. */
export function setCachePolicy(ctx: Context, policy: CachePolicy): void {
  ctx.set('Cache-Control', CACHE_CONTROL[policy]);
}
