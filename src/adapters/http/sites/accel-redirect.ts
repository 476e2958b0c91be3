import type { Middleware } from 'koa';
import type { LocalStore } from '../../../application/index.js';
import { FileBody } from '../response/file-body.js';
import type { RequestState } from '../server/request-log.js';

/** A web server in front that can read the docs directory, and the store that knows what lies there. */
export interface AccelRedirect {
  /** Internal location at which the web server has the docs directory; begins and ends with `/`. */
  readonly location: string;
  readonly store: Pick<LocalStore, 'localPath'>;
}

/** Conditions that a web server would read in its own way: then the answer is Lectern's own. */
const CONDITIONS = ['Range', 'If-Range', 'If-Match', 'If-Unmodified-Since'] as const;

/**
 * Leaves the sending of stored files to the web server in front (nginx's `X-Accel-Redirect`): what Lectern decides
 * stays as it is, status and headers included, and the bytes go from the disk to the client without a detour.
 */
export function accelRedirect({ location, store }: AccelRedirect): Middleware<RequestState> {
  return async (ctx, next) => {
    await next();
    const { stored, shows } = ctx.state;
    if (stored === undefined || ctx.status !== 200) return;
    const isLarge = ctx.body instanceof FileBody;
    // A small page is sent from memory the next time, which costs less than another server's look at the disk.
    if (!isLarge && shows !== undefined) return;
    const path = store.localPath(stored);
    if (path === undefined || CONDITIONS.some((name) => ctx.get(name) !== '')) return;
    if (isLarge) (ctx.body as FileBody).destroy();
    ctx.body = '';
    // The web server says this itself, and would say it twice.
    ctx.remove('Accept-Ranges');
    ctx.set('X-Accel-Redirect', location + path.split('/').map(encodeURIComponent).join('/'));
  };
}
