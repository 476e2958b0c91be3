import type { Archives, UnpackedSite, UnpackRequest } from '../../application/ports/archives.js';
import { WorkerPool } from './worker-pool.js';

/** Reads zip archives with yauzl and writes them with a small writer of our own, both on worker threads only. */
export class ZipArchives implements Archives {
  private readonly workers = new WorkerPool();

  unpack(request: UnpackRequest): Promise<UnpackedSite> {
    return this.workers.run({ kind: 'unpack', request });
  }

  /** @param most differences to look for; all of them unless told. */
  verify(
    archiveFile: string,
    siteDirectory: string,
    most = Number.POSITIVE_INFINITY,
  ): Promise<readonly string[]> {
    return this.workers.run({ kind: 'verify', archiveFile, siteDirectory, most });
  }

  /** @throws EEXIST when `archiveFile` is there already. */
  async pack(siteDirectory: string, archiveFile: string): Promise<void> {
    await this.workers.run({ kind: 'pack', siteDirectory, archiveFile });
  }

  /** Waits for the jobs that were accepted. */
  close(): Promise<void> {
    return this.workers.close();
  }
}
