import type { Middleware } from 'koa';
import type { LocalStore } from '../../../application/index.js';
import { FileBody } from '../response/file-body.js';
import type { RequestState } from '../server/request-log.js';

/** A web server in front that can read the docs directory, and the store that knows its paths. */
export interface AccelRedirect {
  /** Internal location at which the web server has the docs directory; begins and ends with `/`. */
  readonly location: string;
  readonly store: Pick<LocalStore, 'localPath'>;
}

/** Conditional headers that web servers interpret differently: Lectern then sends the file itself. */
const CONDITIONS = ['Range', 'If-Range', 'If-Match', 'If-Unmodified-Since'] as const;

/**
 * Leaves sending stored files to the web server in front (nginx's `X-Accel-Redirect`). Lectern still sets status and
 * headers; the web server sends the bytes from the disk.
 */
export function accelRedirect({ location, store }: AccelRedirect): Middleware<RequestState> {
  return async (ctx, next) => {
    await next();
    const { stored, shows } = ctx.state;
    if (stored === undefined || ctx.status !== 200) return;
    const isLarge = ctx.body instanceof FileBody;
    // Small pages are sent from the cache next time, which is cheaper than a read by the web server.
    if (!isLarge && shows !== undefined) return;
    const path = store.localPath(stored);
    if (path === undefined || CONDITIONS.some((name) => ctx.get(name) !== '')) return;
    // Koa closes the file of the stream that this replaces.
    ctx.body = '';
    // The web server adds this header itself.
    ctx.remove('Accept-Ranges');
    ctx.set('X-Accel-Redirect', location + path.split('/').map(encodeURIComponent).join('/'));
  };
}
