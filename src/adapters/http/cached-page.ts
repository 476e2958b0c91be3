import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, EncodedFile, StoredFile } from '../../application/index.js';
import type { Catalogue, Version } from '../../domain/index.js';
import { Form } from './form.js';
import { gzipped } from './gzip.js';
import type { Reply } from './reply.js';
import { type Encoding, Representation } from './representation.js';

/** One page of one generation in memory, in the encodings that it was asked for in, with its headers written out. */
export class CachedPage implements StoredFile {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly etag: string;
  private readonly representation: Representation;
  private readonly forms = new Map<Encoding, Form>();
  private compressing: Promise<Buffer> | undefined;

  constructor(
    { size, modifiedAt, etag }: Pick<StoredFile, 'size' | 'modifiedAt' | 'etag'>,
    name: string,
    /** The version that the page belongs to: the page is good as long as its address leads to this one. */
    readonly version: Version,
    /** The catalogue in which the address was last seen to lead to the version. */
    public seenIn: Catalogue | undefined,
    /** Where its compressed form may be had without compressing, if it is not at hand. */
    public ready?: StoredFile['gzipped'],
  ) {
    this.size = size;
    this.modifiedAt = modifiedAt;
    this.etag = etag;
    this.representation = new Representation(this, name);
  }

  /** Bytes of memory that the page takes, or may come to take: every form, and headers. */
  get weight(): number {
    return this.size + (this.representation.mayCompress ? this.size / 2 : 0) + 1_000;
  }

  /** Whether it is at hand as it is: what a part of it, or its compressed form, can be made from. */
  get isWhole(): boolean {
    return this.forms.has('identity');
  }

  /** Whether both are the same file, so that a form of one is a form of the other. */
  isOf(version: Version, { etag }: Pick<StoredFile, 'etag'>): boolean {
    return this.version === version && this.etag === etag;
  }

  add(encoding: Encoding, bytes: Buffer): void {
    this.forms.set(encoding, new Form(this.representation, encoding, bytes));
  }

  /**
   * The answer to a request with these headers; undefined when the form that it needs is not at hand.
   * @param sent called when the answer is out
   */
  replyTo(headers: IncomingHttpHeaders, wanted: Encoding, sent?: () => void): Reply | undefined {
    const encoding = this.representation.mayCompress ? wanted : 'identity';
    const form = this.forms.get(encoding);
    return form?.replyTo(headers, sent);
  }

  async *stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    yield range === undefined ? this.bytes : this.bytes.subarray(range.start, range.end + 1);
  }

  readonly gzipped = async (): Promise<EncodedFile> => {
    this.compressing ??= this.gzip();
    const bytes = await this.compressing;
    this.add('gzip', bytes);
    return { size: bytes.length, stream: () => Readable.from([bytes]), close: async () => {} };
  };

  async close(): Promise<void> {}

  private get bytes(): Buffer {
    const form = this.forms.get('identity');
    if (form === undefined) throw new Error('A page is asked for bytes that it does not have');
    return form.bytes;
  }

  /** As the store has it, or compressed here; once for all who wait. */
  private async gzip(): Promise<Buffer> {
    const known = this.forms.get('gzip');
    if (known !== undefined) return known.bytes;
    try {
      const ready = await this.ready?.();
      if (ready !== undefined) return await buffer(ready.stream());
    } catch {
      // Whatever keeps the store from reading it: the page itself is at hand.
    }
    return gzipped(this.bytes);
  }
}
