import { randomBytes } from 'node:crypto';
import type { ArchiveContent, ArchiveLimits, Archives, Published, Staging } from '../../application/index.js';
import { Refusal, refuse } from '../../domain/index.js';
import type { ArchiveIndex } from '../../formats/index.js';
import { LocalStaging } from '../../node/receive-archive.js';
import { refusing } from '../../node/system-errors.js';
import type { ArchiveCache } from './archives/archive-cache.js';
import type { ArchiveFiles } from './archives/archive-files.js';
import { KEPT_MS } from './clearing.js';
import type { ObjectClient } from './client/object-client.js';
import { keys } from './keys.js';
import { type RevisionRecord, versionOfRecord } from './log/commit.js';
import { LogBroken } from './log/commit-log.js';
import type { Replica } from './log/replica.js';
import { decidePublication, type PublicationOptions } from './log/store-state.js';

/** A name that no node has used or will use. It begins with the time, so that names sort by it. */
export function newRevision(): string {
  return `${Date.now().toString(36)}-${randomBytes(10).toString('hex')}`;
}

/** Publisher of archives: two objects, and the commit that makes them public. */
export class ObjectPublisher {
  constructor(
    private readonly client: ObjectClient,
    private readonly replica: Replica,
    private readonly archives: Pick<ArchiveFiles, 'remember'>,
    private readonly cache: Pick<ArchiveCache, 'adopt'>,
  ) {}

  /** Publishes the archive in a local file. */
  async publish(
    record: RevisionRecord,
    path: string,
    index: ArchiveIndex,
    options: PublicationOptions,
  ): Promise<Published> {
    const { revision, archive } = record;
    const began = performance.now();
    this.replica.assertWhole();
    await Promise.all([
      this.client.put(keys.archive(revision), { path, size: archive.size }),
      this.client.put(keys.index(revision), Buffer.from(index.toString())),
    ]);
    const replaced = await this.commit(record, options, began);
    const version = versionOfRecord(record);
    // For the first readers, who need not ask the store.
    this.archives.remember(revision, index);
    await this.cache.adopt(version, path).catch(() => {});
    return { version, replaced };
  }

  /** Publishes what was put into the store. @returns whether a version was replaced */
  private async commit(record: RevisionRecord, options: PublicationOptions, began: number): Promise<boolean> {
    try {
      await this.assertStored(record);
      const made = await this.replica.change((state) => {
        // Other nodes take objects without a commit for forgotten ones by then.
        const isTooLate = performance.now() - began > KEPT_MS / 2;
        return decidePublication(state, record, options, isTooLate);
      });
      return made?.replaces !== undefined;
    } catch (error) {
      // After other errors the commit may be in the log; if it is not, the objects are swept.
      if (error instanceof Refusal || error instanceof LogBroken) {
        const { revision } = record;
        await this.client.remove([keys.archive(revision), keys.index(revision)]).catch(() => {});
      }
      throw error;
    }
  }

  /** Asks whether the store has the archive: one said so, and had lost it. @throws Refusal `unavailable`; StoreError */
  private async assertStored({ revision, archive }: RevisionRecord): Promise<void> {
    const stored = await this.client.get(keys.archive(revision), { start: 0, end: 0 });
    await stored?.body[Symbol.asyncIterator]().return?.();
    if (stored?.size === archive.size) return;
    const found = stored === undefined ? 'does not have it' : `has ${stored.size} bytes`;
    const cause = new Error(`the archive of ${archive.size} bytes was uploaded, but the store ${found}`);
    throw refuse.storageUnavailable({ cause }, 'The object store');
  }
}

/** An upload in a local directory, until it is put into the store. */
export class ObjectStaging extends LocalStaging implements Staging {
  /** Set by `prepare`. */
  index: ArchiveIndex | undefined;

  async prepare(archives: Pick<Archives, 'index'>, limits: ArchiveLimits): Promise<ArchiveContent> {
    // Nothing is unpacked, so the free space of the disk is no limit.
    const { index, ...content } = await refusing(this.refusalOf, () =>
      archives.index(this.archiveFile, { ...limits, roomBytes: undefined }),
    );
    this.index = index;
    return content;
  }
}
