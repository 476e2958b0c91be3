import { Readable } from 'node:stream';
import type { Middleware } from 'koa';

/** What a web server would read in its own way: then the answer is Lectern's own. */
const CONDITIONS = ['Range', 'If-Range', 'If-Match', 'If-Unmodified-Since'] as const;

const stored = new WeakMap<Readable, string>();

/** Notes of a body that it is a stored file, whole and as it is. */
export function noteStored(body: Readable, storedAt: string): void {
  stored.set(body, storedAt);
}

/**
 * Leaves the sending of stored files to the web server in front (nginx's `X-Accel-Redirect`): what Lectern decides
 * stays as it is, status and headers included, and the bytes go from the disk to the client without a detour.
 * @param location at which the web server, for nobody but Lectern, has the docs directory; begins and ends with `/`
 */
export function accelRedirect(location: string): Middleware {
  return async (ctx, next) => {
    await next();
    if (!(ctx.body instanceof Readable)) return;
    const storedAt = stored.get(ctx.body);
    if (storedAt === undefined || CONDITIONS.some((name) => ctx.get(name) !== '')) return;
    ctx.body.destroy();
    ctx.body = '';
    // It says this itself, and would say it twice.
    ctx.remove('Accept-Ranges');
    ctx.set('X-Accel-Redirect', location + storedAt.split('/').map(encodeURIComponent).join('/'));
  };
}
