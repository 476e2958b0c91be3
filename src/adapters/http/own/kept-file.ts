import type { Middleware } from 'koa';
import { contentTypeOf } from '../../../node/content-type.js';
import { sendText, Text } from '../response/send-text.js';

/** A small file that is kept in memory: of the site file, such as the logo, or of a package for the server's own pages. */
export interface KeptFile {
  /** Path of its address, without the base path. */
  readonly path: string;
  readonly content: Buffer;
  /** Whether its address changes with its content. */
  readonly isImmutable?: true;
}

/** Serves a file by the extension of its path. An SVG that is opened by itself runs nothing, and loads nothing. */
export function keptFile({ path, content, isImmutable }: KeptFile): Middleware {
  const type = contentTypeOf(path);
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const text = new Text(content, type, { 'Content-Security-Policy': policy });
  return async (ctx) => sendText(ctx, text, isImmutable ? 'immutable' : 'revalidate');
}
