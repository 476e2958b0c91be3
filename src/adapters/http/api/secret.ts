import type { Context } from 'koa';

/**
 * The secret in `X-Token`. Node decodes headers as Latin-1; clients send non-ASCII secrets as UTF-8, as in the tokens
 * file.
 */
export function secretOf(ctx: Context): string | undefined {
  const header = ctx.headers['x-token'];
  return typeof header === 'string' ? Buffer.from(header, 'latin1').toString('utf8') : undefined;
}
