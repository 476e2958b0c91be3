import type { Context } from 'koa';
import { HttpFault } from '../errors.js';
import type { Body, SchemaName } from './schemas.js';

/** Answers with a JSON body that has the shape of a schema. */
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

/** A parameter of the path. The router hands on what it cannot decode as it stands; no name has a `%`. */
export function param(ctx: Context, name: string): string {
  const value: unknown = ctx.params[name];
  if (typeof value !== 'string') throw new HttpFault('not_found', 'There is nothing at this path');
  return value;
}
