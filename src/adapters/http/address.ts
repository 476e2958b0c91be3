import type { Context } from 'koa';

/**
 * The server's address as the client wrote it, for examples on pages; never for a redirect. With a
 * trusted proxy it is what the proxy says that the client wrote.
 */
export function addressOf(ctx: Context): string {
  const { host } = ctx;
  return /^[A-Za-z0-9.:[\]_-]+$/.test(host) ? `${ctx.protocol}://${host}` : 'http://localhost:8080';
}
