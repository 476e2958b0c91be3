import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ReceivedArchive, Staging } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import type { Disk } from './disk.js';
import { Generation } from './layout.js';

/** A generation in the making, in `incoming/`. */
export class FilesystemStaging implements Staging {
  private place: Generation;
  private flushed: Promise<void> = Promise.resolve();

  constructor(
    private readonly disk: Disk,
    directory: string,
    readonly name: string,
    readonly foldsCase: boolean,
  ) {
    this.place = new Generation(directory);
  }

  get generation(): Generation {
    return this.place;
  }

  get archiveFile(): string {
    return this.place.archive;
  }

  get siteDirectory(): string {
    return this.place.site;
  }

  async receive(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedArchive> {
    const hash = createHash('sha256');
    let size = 0;
    const handle = await this.disk.open(this.archiveFile, 'wx');
    try {
      for await (const chunk of content) {
        size += chunk.length;
        if (size > mostBytes) throw refuse.uploadTooLarge(mostBytes, size);
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.flush(handle);
    return { size, sha256: hash.digest('hex') };
  }

  /** Resolves once the archive would survive a power cut. */
  async archiveIsDurable(): Promise<void> {
    await this.flushed;
  }

  /** Renames the whole staging to its place among the published generations. */
  async moveTo(generation: Generation): Promise<void> {
    await this.disk.rename(this.place.directory, generation.directory);
    this.place = generation;
  }

  async discard(): Promise<void> {
    await this.flushed.catch(() => {});
    await this.disk.rm(this.place.directory, { recursive: true, force: true });
  }

  /** The disk writes the archive while it is being unpacked; publishing waits for it. */
  private flush(handle: FileHandle): void {
    this.flushed = handle.sync().finally(() => handle.close());
    this.flushed.catch(() => {});
  }
}
