import { createHash } from 'node:crypto';
import {
  assertDerived,
  type ByteRange,
  type DerivedFiles,
  type StoredFile,
} from '../../application/index.js';

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

/** Derived files of publications, in memory. */
export class MemoryDerivedFiles implements DerivedFiles {
  private readonly byRevision = new Map<string, Map<string, MemoryFile>>();

  async open(revision: string, name: string): Promise<StoredFile | undefined> {
    assertDerived(revision, name);
    return this.byRevision.get(revision)?.get(name);
  }

  async write(revision: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    assertDerived(revision, name);
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    const files = this.byRevision.get(revision) ?? new Map<string, MemoryFile>();
    this.byRevision.set(revision, files.set(name, new MemoryFile(Buffer.concat(chunks), new Date())));
  }

  /** Removes all derived files of a removed publication. */
  drop(revision: string): void {
    this.byRevision.delete(revision);
  }
}
