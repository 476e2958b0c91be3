import type { Context } from 'koa';
import type { Body, SchemaName } from '../../../formats/api/bodies.js';
import { type CachePolicy, setCachePolicy } from '../response/cache-policy.js';

/** Sends a JSON body with the shape of a schema. */
export function answer<Name extends SchemaName>(
  ctx: Context,
  _name: Name,
  status: number,
  body: Body<Name>,
  policy: CachePolicy = 'revalidate',
): void {
  ctx.status = status;
  setCachePolicy(ctx, policy);
  ctx.body = body;
}
