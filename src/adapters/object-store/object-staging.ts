import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ArchiveContent,
  ArchiveLimits,
  Archives,
  ReceivedArchive,
  Staging,
} from '../../application/index.js';
import type { ArchiveIndex } from '../../formats/index.js';
import { receiveArchiveAt } from '../../node/receive-archive.js';

/** An upload in a local directory, until it is put into the store. */
export class ObjectStaging implements Staging {
  /** Set by `prepare`. */
  index: ArchiveIndex | undefined;

  private constructor(
    private readonly directory: string,
    private readonly forget: () => void,
  ) {}

  /** @param home directory to create the staging's own in */
  static async create(home: string, onDiscarded: (staging: ObjectStaging) => void): Promise<ObjectStaging> {
    const directory = await mkdtemp(join(home, 'upload-'));
    const staging: ObjectStaging = new ObjectStaging(directory, () => onDiscarded(staging));
    return staging;
  }

  get archiveFile(): string {
    return join(this.directory, 'archive.zip');
  }

  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive> {
    return receiveArchiveAt(this.archiveFile, content, maxBytes);
  }

  async prepare(archives: Pick<Archives, 'index'>, limits: ArchiveLimits): Promise<ArchiveContent> {
    // Nothing is unpacked, so the free space of the disk is no limit.
    const { index, ...content } = await archives.index(this.archiveFile, { ...limits, roomBytes: undefined });
    this.index = index;
    return content;
  }

  async discard(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    this.forget();
  }
}
