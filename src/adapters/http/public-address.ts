import type { RequestListener } from 'node:http';
import type { Context } from 'koa';

/**
 * Where clients find the server. Everything that it serves lies below the base path, for them: links, redirects and
 * addresses are made here, and the path of a request is freed of it here.
 */
export class PublicAddress {
  /**
   * @param basePath starts with `/` and does not end with one; empty when the server has the whole host
   * @param origin scheme and host, without a path; by default what each client wrote
   */
  constructor(
    readonly basePath = '',
    private readonly origin?: string,
  ) {}

  /** @param path rooted, as the server itself knows it */
  to(path: string): string {
    return this.basePath + path;
  }

  /** What the API describes itself to be served at: a whole address where it is known, else a path. */
  get server(): string {
    return `${this.origin ?? ''}${this.basePath}` || '/';
  }

  /**
   * The server's whole address, without a `/` at its end, for examples on pages; never for a redirect. Unless it is
   * fixed, the host is as the client wrote it, or with a trusted proxy what that says that the client wrote.
   */
  of(ctx: Context): string {
    return (this.origin ?? originOf(ctx)) + this.basePath;
  }

  /** The whole address where it is fixed; undefined where each client names the host. */
  get fixed(): string | undefined {
    return this.origin === undefined ? undefined : this.origin + this.basePath;
  }

  /** The path or target without the base path; one that comes without it is what a proxy has left of one. */
  within(target: string): string {
    return this.isBelow(target) ? target.slice(this.basePath.length) : target;
  }

  /** Frees each request's target of the base path, before anything looks at it. */
  entering(handle: RequestListener): RequestListener {
    if (this.basePath === '') return handle;
    return (request, response) => {
      const { url = '' } = request;
      if (this.isBelow(url)) request.url = url.slice(this.basePath.length);
      else if (url === this.basePath) request.url = '/';
      else if (url.startsWith(`${this.basePath}?`)) request.url = `/${url.slice(this.basePath.length)}`;
      handle(request, response);
    };
  }

  private isBelow(target: string): boolean {
    return target.startsWith(this.basePath) && target[this.basePath.length] === '/';
  }
}

function originOf(ctx: Context): string {
  const { host } = ctx;
  return /^[A-Za-z0-9.:[\]_-]+$/.test(host) ? `${ctx.protocol}://${host}` : 'http://localhost:8080';
}
