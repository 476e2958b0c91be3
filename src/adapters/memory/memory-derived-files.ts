import { assertDerived, type DerivedFiles, type StoredFile } from '../../application/index.js';
import { MemoryFile } from './memory-file.js';

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
