import type { Middleware } from 'koa';
import { HttpFault } from '../errors.js';
import { compress, filesBelow } from './static-files.js';

/** Files of a foreign package that a page of the server's own loads, below an address that changes with its version. */
export interface LibraryFiles {
  readonly directory: string;
  /** Paths in `directory`; no other file of it is served. */
  readonly files: readonly string[];
  /** Begins and ends with `/`. */
  readonly path: string;
}

/** koa-static answers from the directory of the package. */
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
    // Files of packages bear no true dates; the version in the address is what tells them apart.
    ctx.remove('Last-Modified');
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    compress(ctx);
  };
}
