import type { Context } from 'koa';
import type { Waiter } from '../../application/index.js';
import { ClientLeft } from './errors.js';

/**
 * The client that an address stands for: the address, of IPv6 its first 64 bits, since clients choose the rest (RFC 4291,
 * section 2.5.1). Undefined for Unix sockets.
 */
export function clientOf(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const ipv4 = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (!ipv4.includes(':')) return ipv4;
  const [beforeGap = ''] = ipv4.split('::');
  return [...beforeGap.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':');
}

/** The client of a request, as one that waits for work: what it asked for ends when it leaves. */
export function waiterOf(ctx: Context): Waiter & { readonly signal: AbortSignal } {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort(new ClientLeft()));
  return { address: clientOf(ctx.ip), signal: gone.signal };
}
