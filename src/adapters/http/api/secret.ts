import type { Context } from 'koa';

/**
 * The secret in `X-Token`. Node reads headers as Latin-1, byte by byte; clients send a secret with other letters
 * as UTF-8, as it stands in the tokens file.
 */
export function secretOf(ctx: Context): string | undefined {
  const header = ctx.headers['x-token'];
  return typeof header === 'string' ? Buffer.from(header, 'latin1').toString('utf8') : undefined;
}
