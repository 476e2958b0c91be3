import type { Context } from 'koa';

/** The server's address as the client wrote it, for examples on pages; never for a redirect. */
export function addressOf(ctx: Context): string {
  const host = ctx.get('Host');
  return /^[A-Za-z0-9.:[\]_-]+$/.test(host) ? `${ctx.protocol}://${host}` : 'http://localhost:8080';
}
