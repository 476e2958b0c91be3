import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { preferredEncoding } from './accept-encoding.js';
import type { Reply } from './ahead-of-koa.js';
import { gzipped } from './gzip.js';
import { etagIn, LEAST_COMPRESSED } from './representation.js';
import { isFresh } from './send-file.js';

/** Text that the server has written, in memory: UTF-8, compressed once, however often it is sent. */
export class Written {
  private readonly bytes: Buffer;
  private readonly hash: string;
  private compressed: Buffer | undefined;
  private compressing: Promise<Buffer> | undefined;

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

  /** The answer to a request with these headers; undefined as long as it has to be compressed first. */
  replyTo(headers: IncomingHttpHeaders): Reply | undefined {
    const encoding = this.bytes.length < LEAST_COMPRESSED ? 'identity' : preferredEncoding(headers);
    const etag = etagIn(encoding, this.hash);
    const head = ['Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding', 'ETag', etag];
    if (isFresh(headers, etag)) return { status: 304, head };
    const body = encoding === 'gzip' ? this.compressed : this.bytes;
    if (body === undefined) return undefined;
    head.push('Content-Type', this.type);
    if (encoding === 'gzip') head.push('Content-Encoding', encoding);
    head.push('Content-Length', String(body.length));
    return { status: 200, head, body };
  }

  /**
   * Answers with it: ETag, 304, gzip.
   * @param prepare sets what else a whole answer has; a 304 leaves it as it was when the body was sent
   */
  async send(ctx: Context, prepare: (ctx: Context) => void = () => {}): Promise<void> {
    const { status, head, body } = await this.reply(ctx.headers);
    ctx.status = status;
    for (let at = 0; at < head.length; at += 2) {
      const [name = '', value = ''] = head.slice(at, at + 2);
      if (name === 'Vary') ctx.vary(value);
      else ctx.set(name, value);
    }
    if (body === undefined) return;
    prepare(ctx);
    ctx.body = body;
  }

  private async reply(headers: IncomingHttpHeaders): Promise<Reply> {
    const reply = this.replyTo(headers);
    if (reply !== undefined) return reply;
    this.compressing ??= gzipped(this.bytes);
    this.compressed = await this.compressing;
    return this.reply(headers);
  }
}
