import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, EncodedFile, HeldFile, StoredFile } from '../../application/index.js';
import type { Catalogue, Version } from '../../domain/index.js';
import type { Reply } from './ahead-of-koa.js';
import { gzipped } from './gzip.js';
import { type Encoding, Representation } from './representation.js';
import { isFresh } from './send-file.js';

/** The headers of a 304, and of a whole answer. */
interface Heads {
  readonly unchanged: readonly string[];
  readonly whole: readonly string[];
}

/** One page of one generation in memory, with its headers written out. */
export class CachedPage implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  private readonly representation: Representation;
  private readonly heads = new Map<Encoding, Heads>();
  private readonly bytes: Buffer;
  private compressed: Buffer | undefined;
  private compressing: Promise<Buffer> | undefined;

  constructor(
    { bytes, etag, modifiedAt, gzipped: compressed }: HeldFile,
    name: string,
    /** The version that the page belongs to: the page is good as long as its address leads to this one. */
    readonly version: Version,
    /** The first part of the address: a directory name, or an alias. */
    readonly address: string,
    /** The catalogue in which the address was last seen to lead to the version. */
    public seenIn: Catalogue | undefined,
    /** Where its compressed form may be had without compressing, if it is not at hand. */
    public ready?: StoredFile['gzipped'],
  ) {
    this.bytes = bytes;
    this.size = bytes.length;
    this.modifiedAt = modifiedAt;
    this.etag = etag;
    this.compressed = compressed;
    this.representation = new Representation(this, name);
  }

  /** Bytes of memory that the page takes, its compressed form and headers included. */
  get weight(): number {
    return this.size + (this.representation.mayCompress ? this.size / 2 : 0) + 1_000;
  }

  /** Whether the page need not be compressed first for a client that prefers `wanted`. */
  hasAtHand(wanted: Encoding): boolean {
    return this.bodyIn(this.encodingFor(wanted)) !== undefined;
  }

  /** The answer to a request with these headers; undefined when the page has to be compressed first. */
  replyTo(headers: IncomingHttpHeaders, wanted: Encoding): Reply | undefined {
    const encoding = this.encodingFor(wanted);
    const body = this.bodyIn(encoding);
    if (body === undefined) return undefined;
    let heads = this.heads.get(encoding);
    if (heads === undefined) {
      heads = this.headsIn(encoding, body.length);
      this.heads.set(encoding, heads);
    }
    const { lastModified } = this.representation;
    return isFresh(headers, this.representation.etag(encoding), lastModified)
      ? { status: 304, head: heads.unchanged }
      : { status: 200, head: heads.whole, body };
  }

  private encodingFor(wanted: Encoding): Encoding {
    return this.representation.mayCompress ? wanted : 'identity';
  }

  private bodyIn(encoding: Encoding): Buffer | undefined {
    return encoding === 'identity' ? this.bytes : this.compressed;
  }

  private headsIn(encoding: Encoding, length: number): Heads {
    const unchanged = Object.entries(this.representation.headers(encoding)).flat();
    const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const whole = ['Content-Type', this.representation.type, ...encoded, 'Content-Length', String(length)];
    return { unchanged, whole: [...unchanged, ...whole] };
  }

  async *stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    yield range === undefined ? this.bytes : this.bytes.subarray(range.start, range.end + 1);
  }

  readonly gzipped = async (): Promise<EncodedFile> => {
    this.compressing ??= this.gzip();
    const bytes = await this.compressing;
    this.compressed = bytes;
    return { size: bytes.length, stream: () => Readable.from([bytes]), close: async () => {} };
  };

  /** As the store has it, or compressed here; once for all who wait. */
  private async gzip(): Promise<Buffer> {
    if (this.compressed !== undefined) return this.compressed;
    try {
      const ready = await this.ready?.();
      if (ready !== undefined) return await buffer(ready.stream());
    } catch {
      // Whatever keeps the store from reading it: the page itself is at hand.
    }
    return gzipped(this.bytes);
  }

  async close(): Promise<void> {}
}
