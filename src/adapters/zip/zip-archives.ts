import { availableParallelism } from 'node:os';
import type {
  ArchiveLimits,
  Archives,
  UnpackedSite,
  UnpackRequest,
} from '../../application/ports/archives.js';
import { ArchiveIndex } from '../../formats/archive-index.js';
import { Ending } from './jobs/ending.js';
import { WorkerPool } from './threads/worker-pool.js';

/**
 * More than two would only compete for the disk, and for the processors that serve pages; on a lone processor a second
 * one gets nothing done sooner, and doubles the time that a page waits for its turn.
 */
const MAX_UNPACKING = Math.min(2, availableParallelism());
/** So that a small download need not wait for a large one. */
const MAX_PACKING = 2;

/** Reads zip archives with yauzl and writes them with yazl, both on worker threads only. */
export class ZipArchives implements Archives {
  private readonly ending = new Ending();
  private readonly unpacking = new WorkerPool(MAX_UNPACKING, this.ending);
  /** For packing and checking: no upload waits until a large download is packed. */
  private readonly packing = new WorkerPool(MAX_PACKING, this.ending);

  expect(): void {
    this.unpacking.run('prepare', undefined).catch(() => {
      // The archive itself will meet the same.
    });
  }

  unpack(request: UnpackRequest): Promise<UnpackedSite> {
    return this.unpacking.run('unpack', request);
  }

  async index(archiveFile: string, limits: ArchiveLimits): Promise<ArchiveIndex> {
    const index = ArchiveIndex.parse(await this.unpacking.run('index', { archiveFile, limits }));
    if (index === undefined) throw new Error('The archive worker gave an index that cannot be read');
    return index;
  }

  /** @param max differences to look for; all of them unless told. */
  verify(
    archiveFile: string,
    siteDirectory: string,
    max = Number.POSITIVE_INFINITY,
  ): Promise<readonly string[]> {
    return this.packing.run('verify', { archiveFile, siteDirectory, max });
  }

  /** @throws EEXIST when `archiveFile` is there already. */
  async pack(siteDirectory: string, archiveFile: string): Promise<void> {
    await this.packing.run('pack', { siteDirectory, archiveFile });
  }

  /** What is being unpacked and packed gives up at its next file, with `unavailable`, and leaves nothing. */
  giveUp(): void {
    this.ending.announce();
  }

  /** Waits for the jobs that were accepted. */
  async close(): Promise<void> {
    await Promise.all([this.unpacking.close(), this.packing.close()]);
  }
}
