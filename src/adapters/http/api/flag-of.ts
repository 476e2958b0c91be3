import type { Context } from 'koa';
import { HttpFault } from '../errors.js';

/**
 * Returns the value of a yes-or-no parameter of the query; false where there is none.
 * @throws HttpFault `invalid_request` for anything but one `true` or `false`
 */
export function flagOf(ctx: Context, name: string): boolean {
  const value = ctx.query[name] ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new HttpFault('invalid_request', `Give '${name}' once, as 'true' or 'false'`);
}
