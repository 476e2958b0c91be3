import type { Context } from 'koa';
import { HttpFault } from '../errors.js';
import type { Body, SchemaName } from './schemas.js';

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

/** A path parameter. The router passes on undecodable ones unchanged; no name has a `%`. */
export function param(ctx: Context, name: string): string {
  const value: unknown = ctx.params[name];
  if (typeof value !== 'string') throw new HttpFault('not_found', 'There is nothing at this path');
  return value;
}
