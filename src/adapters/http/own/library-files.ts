import type { Middleware } from 'koa';
import { HttpFault } from '../errors.js';
import { compress, filesBelow } from './static-files.js';

/** Files of a third-party package for the server's own pages, below a path that changes with the package's version. */
export interface LibraryFiles {
  readonly directory: string;
  /** Paths in `directory`; no other file of it is served. */
  readonly files: readonly string[];
  /** Begins and ends with `/`. */
  readonly path: string;
}

/** Serves the files by koa-static. */
export function libraryFiles({ directory, files, path }: LibraryFiles): Middleware {
  const serve = filesBelow(directory);
  return async (ctx) => {
    const asked = ctx.path;
    const name = asked.slice(path.length);
    if (!files.includes(name)) throw new HttpFault('not_found', 'There is nothing at this path');
    try {
      ctx.path = `/${name}`;
      await serve(ctx, async () => {});
    } finally {
      ctx.path = asked;
    }
    // Dates of packaged files are wrong; the version in the path identifies them.
    ctx.remove('Last-Modified');
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    compress(ctx);
  };
}
