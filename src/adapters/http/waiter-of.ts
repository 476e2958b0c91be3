import type { Context } from 'koa';
import type { Waiter } from '../../application/index.js';
import { clientOf } from './client-of.js';
import { ClientLeft } from './errors.js';

/** The client of a request, as one that waits for work: what it asked for ends when it leaves. */
export function waiterOf(ctx: Context): Waiter & { readonly signal: AbortSignal } {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort(new ClientLeft()));
  return { address: clientOf(ctx.ip), signal: gone.signal };
}
