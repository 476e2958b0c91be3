import type { ByteRange, StoredFile } from '../../application/index.js';

/** A file whose bytes are read by ranges. Nothing is open until it is read. */
export class ObjectFile implements StoredFile {
  constructor(
    private readonly facts: Pick<StoredFile, 'size' | 'modifiedAt' | 'etag'>,
    private readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>,
  ) {}

  get size(): number {
    return this.facts.size;
  }

  get modifiedAt(): Date {
    return this.facts.modifiedAt;
  }

  get etag(): string {
    return this.facts.etag;
  }

  async *stream(range?: ByteRange): AsyncGenerator<Uint8Array> {
    if (this.size > 0) yield* this.read(range ?? { start: 0, end: this.size - 1 });
  }

  async close(): Promise<void> {}
}
