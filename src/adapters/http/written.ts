import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { preferredEncoding } from './accept-encoding.js';
import { gzipped } from './gzip.js';
import { etagIn, LEAST_COMPRESSED } from './representation.js';
import { isFresh } from './send-file.js';

/** Text that the server has written, in memory: UTF-8, compressed once, however often it is sent. */
export class Written {
  private readonly bytes: Buffer;
  private readonly hash: string;
  private compressed: Promise<Buffer> | undefined;

  constructor(
    text: string | Buffer,
    readonly type: string,
  ) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.hash = createHash('sha256').update(this.bytes).digest('base64url').slice(0, 32);
  }

  static json(value: unknown): Written {
    return new Written(JSON.stringify(value), 'application/json; charset=utf-8');
  }

  /**
   * Answers with it: ETag, 304, gzip.
   * @param prepare sets what else a whole answer has; a 304 leaves it as it was when the body was sent
   */
  async send(ctx: Context, prepare: (ctx: Context) => void = () => {}): Promise<void> {
    const encoding = this.bytes.length < LEAST_COMPRESSED ? 'identity' : preferredEncoding(ctx.headers);
    ctx.set('Cache-Control', 'no-cache');
    ctx.vary('Accept-Encoding');
    const etag = etagIn(encoding, this.hash);
    ctx.set('ETag', etag);
    ctx.status = 200;
    if (isFresh(ctx.headers, etag)) {
      ctx.status = 304;
      return;
    }
    ctx.set('Content-Type', this.type);
    prepare(ctx);
    if (encoding === 'gzip') {
      ctx.set('Content-Encoding', encoding);
      this.compressed ??= gzipped(this.bytes);
      ctx.body = await this.compressed;
    } else ctx.body = this.bytes;
  }
}
