import { join } from 'node:path';
import type {
  ArchiveContent,
  ArchiveLimits,
  Archives,
  ReceivedArchive,
  Staging,
} from '../../../application/index.js';
import { receiveArchive } from '../../../node/receive-archive.js';
import { refusing } from '../../../node/system-errors.js';
import { diskRefusalOf, moveInto } from '../disk.js';
import { Generation } from '../layout.js';
import type { Tools } from '../tools.js';

/** A generation being prepared in `incoming/`. All errors are refusals. */
export class FilesystemStaging implements Staging {
  generation: Generation;
  /** Resolves once the archive is synced to disk. */
  flushed: Promise<void> = Promise.resolve();
  private isPublished = false;

  private constructor(
    private readonly tools: Tools,
    /** Name of the generation. */
    readonly name: string,
  ) {
    this.generation = new Generation(join(tools.layout.incoming, name));
  }

  /** Creates the directory of a new generation. */
  static async create(tools: Tools): Promise<FilesystemStaging> {
    const staging = new FilesystemStaging(tools, tools.lease.nextName());
    await tools.disk.mkdir(staging.generation.directory);
    return staging;
  }

  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive> {
    return refusing(diskRefusalOf, async () => {
      const handle = await this.tools.disk.open(this.generation.archive, 'wx');
      try {
        const received = await receiveArchive(handle, content, maxBytes);
        // While it is being unpacked; publishing waits for it.
        this.flushed = handle.sync().finally(() => handle.close());
        this.flushed.catch(() => {});
        return received;
      } catch (error) {
        await handle.close().catch(() => {});
        throw error;
      }
    });
  }

  prepare(archives: Pick<Archives, 'unpack'>, limits: ArchiveLimits): Promise<ArchiveContent> {
    const { archive: archiveFile, site: siteDirectory, index: indexFile } = this.generation;
    const { foldsCase } = this.tools;
    const request = { archiveFile, siteDirectory, indexFile, foldsCase, limits };
    return refusing(diskRefusalOf, () => archives.unpack(request));
  }

  /**
   * Renames the staging directory: to its place among the published generations, or back.
   * @returns whether the directory around that place was created
   */
  async moveTo(place: Generation): Promise<boolean> {
    const isNew = await moveInto(this.tools.disk, this.generation.directory, place.directory);
    this.generation = place;
    return isNew;
  }

  /** Marks the staging as published, so that `discard` leaves it alone. */
  keep(): void {
    this.isPublished = true;
  }

  async discard(): Promise<void> {
    await this.flushed.catch(() => {});
    if (this.isPublished) return;
    const { directory } = this.generation;
    // Not thrown: the failure that made the caller discard matters more.
    const { disk, unused } = this.tools;
    await disk.rm(directory, { recursive: true, force: true }).catch(() => unused.path(directory));
  }
}
