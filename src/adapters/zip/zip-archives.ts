import { availableParallelism } from 'node:os';
import type {
  ArchiveContent,
  ArchiveLimits,
  Archives,
  IndexedArchive,
  UnpackRequest,
} from '../../application/ports/archives.js';
import { ArchiveIndex } from '../../formats/archive-index.js';
import { Ending } from './jobs/ending.js';
import { WorkerPool } from './threads/worker-pool.js';

/**
 * Max. threads that unpack. More than two would only compete for the disk and the processors; on one processor, a second
 * thread finishes nothing sooner, and doubles the time that a page waits.
 */
const MAX_UNPACKING = Math.min(2, availableParallelism());
/** Max. threads that pack and verify: two, so that a small download need not wait for a large one. */
const MAX_PACKING = 2;

/** Zip archives, read with yauzl and written with yazl, on worker threads only. */
export class ZipArchives implements Archives {
  private readonly ending = new Ending();
  private readonly unpacking = new WorkerPool(MAX_UNPACKING, this.ending);
  /** For packing and checking: no upload waits until a large download is packed. */
  private readonly packing = new WorkerPool(MAX_PACKING, this.ending);

  expect(): void {
    this.unpacking.run('prepare', undefined).catch(() => {
      // Unpacking will fail the same way.
    });
  }

  unpack(request: UnpackRequest): Promise<ArchiveContent> {
    return this.unpacking.run('unpack', request);
  }

  async index(archiveFile: string, limits: ArchiveLimits): Promise<IndexedArchive> {
    const { index: text, rootedLinks } = await this.unpacking.run('index', { archiveFile, limits });
    const index = ArchiveIndex.parse(text);
    if (index === undefined) throw new Error('The archive worker gave an index that cannot be read');
    return { index, rootedLinks };
  }

  /** @param max max. differences to return; default: all */
  verify(
    archiveFile: string,
    siteDirectory: string,
    max = Number.POSITIVE_INFINITY,
  ): Promise<readonly string[]> {
    return this.packing.run('verify', { archiveFile, siteDirectory, max });
  }

  /** @throws EEXIST when `archiveFile` exists */
  async pack(siteDirectory: string, archiveFile: string): Promise<void> {
    await this.packing.run('pack', { siteDirectory, archiveFile });
  }

  /** Aborts running unpacking and packing at the next file, with `unavailable`. Leaves no files behind. */
  giveUp(): void {
    this.ending.announce();
  }

  /** Waits for accepted jobs. */
  async close(): Promise<void> {
    await Promise.all([this.unpacking.close(), this.packing.close()]);
  }
}
