import type { Middleware } from 'koa';
import { contentType } from 'mime-types';
import { sendText, Text } from '../response/send-text.js';

/** A small file of the site file, kept in memory: the logo, or the style sheet with the accent. */
export interface IdentityFile {
  /** Path of its address, without the base path. */
  readonly path: string;
  /** Extension for the media type: `.svg`. */
  readonly extension: string;
  readonly content: Buffer;
}

/** Serves a file as an image or style sheet. An SVG that is opened by itself runs nothing, and loads nothing. */
export function identityFile({ extension, content }: IdentityFile): Middleware {
  const type = contentType(extension) || 'application/octet-stream';
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const text = new Text(content, type, { 'Content-Security-Policy': policy });
  return async (ctx) => sendText(ctx, text);
}
