import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, EncodedFile, HeldFile, StoredFile } from '../../application/index.js';
import type { Catalogue, Version } from '../../domain/index.js';
import { gzipped } from './gzip.js';
import { type Encoding, Representation } from './representation.js';
import { isFresh } from './send-file.js';

/** One page of one generation in memory, with its headers written out. */
export class CachedPage implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  private readonly representation: Representation;
  private readonly heads = new Map<Encoding, readonly string[]>();
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

  /** The encoding in which the page goes out to a client that prefers `wanted`. */
  encodingFor(wanted: Encoding): Encoding {
    return this.representation.mayCompress ? wanted : 'identity';
  }

  /** The body in an encoding, if it is at hand. */
  body(encoding: Encoding): Buffer | undefined {
    return encoding === 'identity' ? this.bytes : this.compressed;
  }

  /** Whether a client that sends these headers has the page already. */
  isFreshFor(headers: IncomingHttpHeaders, encoding: Encoding): boolean {
    return isFresh(headers, this.representation.etag(encoding), this.representation.lastModified);
  }

  /** Names and values in turn, as `writeHead` takes them; those of a 304 have neither type nor length. */
  head(encoding: Encoding): readonly string[] {
    let head = this.heads.get(encoding);
    if (head === undefined) {
      head = Object.entries(this.representation.headers(encoding)).flat();
      this.heads.set(encoding, head);
    }
    return head;
  }

  get type(): string {
    return this.representation.type;
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
