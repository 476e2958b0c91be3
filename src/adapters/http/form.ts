import type { IncomingHttpHeaders } from 'node:http';
import { Head, type Reply } from './reply.js';
import type { Encoding, Header } from './representation.js';
import { isFresh } from './send-file.js';

/** What a form is a form of. */
export interface Formed {
  readonly type: string;
  readonly lastModified?: string;
  etag(encoding: Encoding): string;
  /** The headers of a whole answer and of a 304 alike. */
  headers(encoding: Encoding): readonly Header[];
}

/** Content in one encoding, in memory, with the heads of a whole answer and of a 304. */
export class Form {
  private readonly etag: string;
  private readonly unchanged: Head;
  private readonly whole: Head;

  constructor(
    private readonly of: Formed,
    encoding: Encoding,
    readonly bytes: Buffer,
  ) {
    this.etag = of.etag(encoding);
    const head = of.headers(encoding).flat();
    this.unchanged = new Head(head);
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    this.whole = new Head([
      ...head,
      'Content-Type',
      of.type,
      ...coding,
      'Content-Length',
      String(bytes.length),
    ]);
  }

  /**
   * The answer to a request with these headers.
   * @param sent called when the answer is out
   */
  replyTo(headers: IncomingHttpHeaders, sent?: () => void): Reply {
    return isFresh(headers, this.etag, this.of.lastModified)
      ? { status: 304, head: this.unchanged, sent }
      : { status: 200, head: this.whole, body: this.bytes, sent };
  }
}
