import { createHash } from 'node:crypto';
import type { ByteRange, StoredFile } from '../../application/index.js';

/** A StoredFile in memory. */
export class MemoryFile implements StoredFile {
  readonly size: number;
  readonly etag: string;

  constructor(
    private readonly bytes: Buffer,
    readonly modifiedAt: Date,
    readonly charset?: string,
  ) {
    this.size = bytes.length;
    this.etag = createHash('sha256').update(bytes).digest('base64url');
  }

  async *stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    yield range === undefined ? this.bytes : this.bytes.subarray(range.start, range.end + 1);
  }

  async close(): Promise<void> {}
}
