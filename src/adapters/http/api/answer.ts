import type { Context } from 'koa';
import type { Body, SchemaName } from './description/schemas.js';

/** Sends a JSON body with the shape of a schema. */
export function answer<Name extends SchemaName>(
  ctx: Context,
  _name: Name,
  status: number,
  body: Body<Name>,
): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-cache');
  ctx.body = body;
}
