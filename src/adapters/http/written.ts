import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import { preferredEncoding } from './accept-encoding.js';
import { Form, type Formed } from './form.js';
import { gzipped } from './gzip.js';
import type { Reply } from './reply.js';
import { type Encoding, etagIn, type Header, LEAST_COMPRESSED } from './representation.js';

/** Text that the server has written, in memory: UTF-8, compressed once, however often it is sent. */
export class Written implements Formed {
  private readonly hash: string;
  private readonly identity: Form;
  private gzip: Form | undefined;
  private compressing: Promise<Buffer> | undefined;

  /** @param compress makes the gzip form of these bytes */
  constructor(
    text: string | Buffer,
    readonly type: string,
    private readonly compress = gzipped,
  ) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    this.hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 32);
    this.identity = new Form(this, 'identity', bytes);
  }

  static json(value: unknown): Written {
    return new Written(JSON.stringify(value), 'application/json; charset=utf-8');
  }

  /** Bytes of memory that it takes, or may come to take: the text, its gzip form, and headers. */
  get weight(): number {
    return this.identity.bytes.length * 1.5 + 1_000;
  }

  etag(encoding: Encoding): string {
    return etagIn(encoding, this.hash);
  }

  headers(encoding: Encoding): readonly Header[] {
    return [
      ['Cache-Control', 'no-cache'],
      ['Vary', 'Accept-Encoding'],
      ['ETag', this.etag(encoding)],
    ];
  }

  /** The answer to a request with these headers; undefined as long as it has to be compressed first. */
  replyTo(headers: IncomingHttpHeaders): Reply | undefined {
    const { length } = this.identity.bytes;
    const isCompressed = length >= LEAST_COMPRESSED && preferredEncoding(headers) === 'gzip';
    return (isCompressed ? this.gzip : this.identity)?.replyTo(headers);
  }

  /** Makes the form that an answer to a request with these headers needs. */
  async prepare(headers: IncomingHttpHeaders): Promise<void> {
    await this.reply(headers);
  }

  /**
   * Answers with it: ETag, 304, gzip.
   * @param prepare sets what else a whole answer has; a 304 leaves it as it was when the body was sent
   */
  async send(ctx: Context, prepare: (ctx: Context) => void = () => {}): Promise<void> {
    const { status, head, body } = await this.reply(ctx.headers);
    ctx.status = status;
    for (let at = 0; at < head.fields.length; at += 2) {
      const [name = '', value = ''] = head.fields.slice(at, at + 2);
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
    this.compressing ??= this.compress(this.identity.bytes);
    this.gzip = new Form(this, 'gzip', await this.compressing);
    return this.reply(headers);
  }
}
