import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { preferredEncoding } from './accept-encoding.js';
import { type CachePolicy, setCachePolicy } from './cache-policy.js';
import { isFresh } from './freshness.js';
import { gzipped } from './gzip.js';
import { etagIn, MIN_COMPRESSED_BYTES } from './representation.js';

/** Generated text in UTF-8: hashed and compressed once, however often it is sent. */
export class Text {
  readonly bytes: Buffer;
  readonly hash: string;
  private compressing: Promise<Buffer> | undefined;

  /** @param headers sent with the full text, not with a 304 */
  constructor(
    text: string | Buffer,
    readonly type: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.hash = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 32);
  }

  static json(value: unknown): Text {
    return new Text(JSON.stringify(value), 'application/json; charset=utf-8');
  }

  /** Estimated memory in bytes, with the compressed form. */
  get maxBytes(): number {
    return Math.ceil(this.bytes.length * 1.5) + 1_000;
  }

  /** The text as gzip, compressed on Node's thread pool. */
  gzip(): Promise<Buffer> {
    this.compressing ??= gzipped(this.bytes);
    return this.compressing;
  }
}

/**
 * Sends a text: ETag, 304, gzip (RFC 9110 sections 8.8.3, 13.2.2 and 8.4).
 * @param policy with `never`, it has no ETag
 */
export async function sendText(ctx: Context, text: Text, policy: CachePolicy = 'revalidate'): Promise<void> {
  const isKept = policy !== 'never';
  const isLong = text.bytes.length >= MIN_COMPRESSED_BYTES;
  const encoding = isLong ? preferredEncoding(ctx.headers) : 'identity';
  const etag = etagIn(encoding, text.hash);
  setCachePolicy(ctx, policy);
  ctx.vary('Accept-Encoding');
  if (isKept) ctx.set('ETag', etag);
  if (isKept && isFresh(ctx.headers, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  ctx.set({ ...text.headers, 'Content-Type': text.type });
  if (encoding === 'gzip') ctx.set('Content-Encoding', 'gzip');
  ctx.body = encoding === 'gzip' ? await text.gzip() : text.bytes;
}
