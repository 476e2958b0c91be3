import type { ArchiveContent, ArchiveLimits, Archives, Staging } from '../../application/index.js';
import type { ArchiveIndex } from '../../formats/index.js';
import { LocalStaging } from '../../node/local-staging.js';

/** An upload in a local directory, until it is put into the store. */
export class ObjectStaging extends LocalStaging implements Staging {
  /** Set by `prepare`. */
  index: ArchiveIndex | undefined;

  async prepare(archives: Pick<Archives, 'index'>, limits: ArchiveLimits): Promise<ArchiveContent> {
    // Nothing is unpacked, so the free space of the disk is no limit.
    const { index, ...content } = await archives.index(this.archiveFile, { ...limits, roomBytes: undefined });
    this.index = index;
    return content;
  }
}
