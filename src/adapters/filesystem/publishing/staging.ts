import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedArchive, Staging } from '../../../application/index.js';
import { refuse } from '../../../domain/index.js';
import { type Disk, refusing } from '../disk.js';
import type { Retirement } from '../housekeeping/retirement.js';
import { Generation } from '../layout.js';
import { moveInto } from '../move-into.js';
import type { Tools } from '../tools.js';

/** A generation being prepared in `incoming/`. */
export class FilesystemStaging implements Staging {
  private place: Generation;
  private flushed: Promise<void> = Promise.resolve();
  private isPublished = false;

  private constructor(
    private readonly disk: Disk,
    private readonly retirement: Retirement,
    directory: string,
    readonly name: string,
  ) {
    this.place = new Generation(directory);
  }

  static async create({ disk, layout, lease, retirement }: Tools): Promise<FilesystemStaging> {
    const name = lease.nextName();
    const directory = join(layout.incoming, name);
    await disk.mkdir(directory);
    return new FilesystemStaging(disk, retirement, directory, name);
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

  get indexFile(): string {
    return this.place.index;
  }

  async receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive> {
    const hash = createHash('sha256');
    let size = 0;
    const handle = await refusing(() => this.disk.open(this.archiveFile, 'wx'));
    try {
      for await (const chunk of content) {
        size += chunk.length;
        if (size > maxBytes) throw refuse.uploadTooLarge(maxBytes, size);
        hash.update(chunk);
        await refusing(() => handle.writeFile(chunk));
      }
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
    this.flush(handle);
    return { size, sha256: hash.digest('hex') };
  }

  /** Resolves once the archive is synced to disk. */
  async archiveIsDurable(): Promise<void> {
    await this.flushed;
  }

  /**
   * Renames the staging directory: to its place among the published generations, or back.
   * @returns whether the directory around that place was created
   */
  async moveTo(place: Generation): Promise<boolean> {
    const isNew = await moveInto(this.disk, this.place.directory, place.directory);
    this.place = place;
    return isNew;
  }

  /** Marks the staging as published, so that `discard` leaves it alone. */
  keep(): void {
    this.isPublished = true;
  }

  async discard(): Promise<void> {
    await this.flushed.catch(() => {});
    if (this.isPublished) return;
    const { directory } = this.place;
    // Not thrown: the failure that made the caller discard matters more.
    await this.disk
      .rm(directory, { recursive: true, force: true })
      .catch(() => this.retirement.path(directory));
  }

  /** Syncs the archive while it is being unpacked; publishing waits for it. */
  private flush(handle: FileHandle): void {
    this.flushed = handle.sync().finally(() => handle.close());
    this.flushed.catch(() => {});
  }
}
