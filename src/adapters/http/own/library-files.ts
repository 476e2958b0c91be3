import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Middleware } from 'koa';
import { contentType } from 'mime-types';
import { HttpFault } from '../errors.js';
import { sendText, Text } from '../response/send-text.js';
import type { Texts } from '../response/text-cache.js';

/** Files of a third-party package for the server's own pages, below a path that changes with the package's version. */
export interface LibraryFiles {
  readonly directory: string;
  /** Paths in `directory`; no other file of it is served. */
  readonly files: readonly string[];
  /** Begins and ends with `/`. */
  readonly path: string;
}

/** Serves the files as texts, which are compressed once. */
export function libraryFiles({ directory, files, path }: LibraryFiles, texts: Texts): Middleware {
  return async (ctx) => {
    const name = ctx.path.slice(path.length);
    if (!files.includes(name)) throw new HttpFault('not_found', 'There is nothing at this path');
    const type = contentType(basename(name)) || 'application/octet-stream';
    const read = async () => new Text(await readFile(join(directory, name)), type);
    await sendText(ctx, await texts.get(`library/${ctx.path}`, read), 'immutable');
  };
}
