import { mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Archives,
  type CatalogueChange,
  type ClearUpOptions,
  type DerivedFiles,
  type DirectDownloads,
  type DiskUse,
  type DocStore,
  decideRemoval,
  diskUseOf,
  type FileList,
  PRIVATE_PROJECTS,
  type Privacy,
  type PrivateProjects,
  type Publication,
  type Published,
  type RemovedVersion,
  type RemoveOptions,
  type RestoreOptions,
  type SettingsDecision,
  type SiteEntry,
  type Staging,
  type StoredFile,
  storableSettings,
  type TokensDecision,
} from '../../application/index.js';
import {
  archiveNameOf,
  type Catalogue,
  type ClockVerdict,
  judgeByStore,
  type MadeToken,
  madeTokenKey,
  refuse,
  restoredRecord,
  type SitePath,
  settingsText,
  type Version,
  type VersionId,
} from '../../domain/index.js';
import { storedTokenOf } from '../../formats/api/tokens.js';
import { namesOf } from '../../formats/publication-record.js';
import type { LocalStaging } from '../../node/receive-archive.js';
import type { ArchiveCache } from './archives/archive-cache.js';
import type { ArchiveFiles } from './archives/archive-files.js';
import { ArchivedSites } from './archives/archived-sites.js';
import { type Clearing, restorableUntil } from './clearing.js';
import type { ObjectClient } from './client/object-client.js';
import { keys } from './keys.js';
import { recordedId, versionOfRecord } from './log/commit.js';
import type { Replica } from './log/replica.js';
import type { Removed } from './log/store-state.js';
import { ObjectDerivedFiles } from './object-derived-files.js';
import { newRevision, ObjectPublisher, ObjectStaging } from './object-publisher.js';
import { refusalOf } from './refusals.js';

export interface ObjectDocStoreOptions {
  readonly archives: Pick<Archives, 'index'>;
  /** Local directory for uploads being checked, and for cached archives. Anything in it may be deleted at any time. */
  readonly cacheDirectory: string;
  /** Max. bytes of the cached archives. */
  readonly cacheBytes: number;
  /** Milliseconds between two looks for changes by other nodes. */
  readonly pollMs: number;
  /**
   * Time for which removed and replaced versions can be restored, in milliseconds. Without it nothing can be restored
   * here, and nothing is purged by itself.
   */
  readonly keepRemovedMs?: number | undefined;
  /** Whether this is the only writer, of a store that cannot create objects exclusively. */
  readonly isOnlyWriter?: boolean;
  /** Default: `none`. */
  readonly privacy?: Privacy;
  /** Whether this node only reads: it has no tokens, and perhaps no right to write. */
  readonly isReadOnly?: boolean;
  readonly report?: (message: string, fields: object) => void;
}

/**
 * A DocStore in an object store with the S3 API. Any number of nodes may use one at the same time.
 *
 * An upload becomes two objects, the archive and its index, under keys that are never used twice; one commit in the log
 * makes it public. Pages are read from the archive.
 */
export class ObjectDocStore implements DocStore, DirectDownloads, PrivateProjects {
  readonly foldsCase = false;
  readonly derived: DerivedFiles;
  /** Stagings that are not discarded yet. */
  private readonly stagings = new Set<LocalStaging>();
  private readonly publisher: ObjectPublisher;
  private readonly sites: ArchivedSites;

  constructor(
    private readonly client: ObjectClient,
    private readonly options: ObjectDocStoreOptions,
    private readonly replica: Replica,
    private readonly cache: ArchiveCache,
    private readonly archives: ArchiveFiles,
    private readonly clearing: Clearing,
  ) {
    this.sites = new ArchivedSites(archives, replica);
    this.publisher = new ObjectPublisher(client, replica, archives, cache);
    this.derived = new ObjectDerivedFiles(client, cache.incoming, (revision) =>
      replica.current.isPublished(revision),
    );
    cache.restrictTo((revision) => replica.current.isKnown(revision));
    replica.whenPurged((revisions) => {
      for (const revision of revisions) archives.forget(revision);
    });
  }

  /** Why the store could not be reached at the last look; undefined when it could. */
  get problem(): Error | undefined {
    return this.replica.problem;
  }

  /** Fault of the log, while it is broken: this node then only serves what it knows, and changes nothing. */
  get doubt(): Error | undefined {
    return this.replica.doubt;
  }

  /** Status for metrics. */
  status() {
    return {
      isReachable: this.replica.problem === undefined,
      commit: this.replica.current.number,
      cache: this.cache.status,
    };
  }

  /** Whether projects in it may be private: who does not know the rules must not serve it. */
  async hasPrivate(): Promise<boolean> {
    return this.replica.current.hasPrivate;
  }

  catalogue(): Catalogue {
    const { privacy = 'none' } = this.options;
    // Another node began with it while this one was running.
    if (privacy === 'none' && this.replica.current.hasPrivate) {
      throw refuse.storageUnavailable({ cause: new Error(PRIVATE_PROJECTS) }, 'The object store');
    }
    return this.replica.catalogue;
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    return this.replica.subscribe(listener);
  }

  async stage(): Promise<Staging> {
    // Before the upload is received.
    this.replica.assertWhole();
    return new ObjectStaging(await mkdtemp(join(this.cache.incoming, 'upload-')), this.stagings, refusalOf);
  }

  async publish(
    staging: Staging,
    { id, record }: Publication,
    { replace }: { readonly replace: boolean },
  ): Promise<Published> {
    if (!(staging instanceof ObjectStaging) || staging.index === undefined) {
      throw new TypeError('a staging of another store, or not prepared');
    }
    const { archiveFile: path, index } = staging;
    const committed = { revision: newRevision(), ...namesOf(id), ...record };
    const published = await this.publisher.publish(committed, path, index, { replace });
    await staging.discard();
    return published;
  }

  async remove(id: VersionId, options: RemoveOptions = {}): Promise<void> {
    const { directoryName } = id;
    const isMeant = ({ record }: Removed) => recordedId(record).directoryName === directoryName;
    await this.replica.change(({ catalogue, removed }) => {
      const isKept = options.purge === true && [...removed.values()].some(isMeant);
      const removal = decideRemoval(catalogue.version(directoryName), options, isKept);
      if (removal.kind === 'refuse') return catalogue.whyNotFound(id);
      if (removal.kind === 'purge') return undefined;
      options.confirm?.(catalogue);
      return { kind: 'remove', ...namesOf(id), revision: removal.version.revision };
    });
    if (options.purge) await this.clearing.purge(isMeant);
  }

  async changeSettings(project: string, decide: SettingsDecision): Promise<void> {
    await this.replica.change(({ catalogue }) => {
      const settings = decide(catalogue);
      const body = storableSettings(project, settings);
      if (settingsText(settings) === settingsText(catalogue.settingsOf(project))) return undefined;
      return { kind: 'settings', project, settings: body };
    });
  }

  async madeTokens(): Promise<readonly MadeToken[]> {
    return [...this.replica.current.tokens.values()];
  }

  async changeMadeTokens(decide: TokensDecision): Promise<void> {
    await this.replica.change(({ tokens }) => {
      const before = [...tokens.values()];
      const after = decide(before);
      if (after === before) return undefined;
      const keys = new Set(after.map(madeTokenKey));
      const set = after.filter((token) => tokens.get(madeTokenKey(token)) !== token).map(storedTokenOf);
      const revoked = before.filter((token) => !keys.has(madeTokenKey(token)));
      return { kind: 'tokens', set, revoked: revoked.map(({ maker, name }) => ({ maker, name })) };
    });
  }

  async removed(): Promise<readonly RemovedVersion[]> {
    const { keepRemovedMs = 0 } = this.options;
    const now = this.replica.now().getTime();
    return [...this.replica.current.removed.values()]
      .sort((a, b) => b.at - a.at)
      .flatMap((removed) => {
        const { record, at, isReplaced } = removed;
        const until = restorableUntil(removed, keepRemovedMs);
        if (until === undefined || until <= now) return [];
        const [version, removedAt, expiresAt] = [versionOfRecord(record), new Date(at), new Date(until)];
        return [{ version, removedAt, isReplaced, expiresAt }];
      });
  }

  readonly removals = () => this.removed();

  async restore(
    { version: removed }: RemovedVersion,
    { replace, expiresAt }: RestoreOptions,
  ): Promise<Published> {
    const { revision, project, label } = removed;
    const record = this.replica.current.removed.get(revision)?.record;
    const index = record && (await this.archives.indexOf(removed));
    const file = index && (await this.cache.copyOf(removed));
    if (record === undefined || index === undefined || file === undefined) {
      throw refuse.notRestorable(project, label);
    }
    try {
      const restored = { ...restoredRecord(record, expiresAt), revision: newRevision() };
      return await this.publisher.publish(restored, file.path, index, { replace, restores: revision });
    } finally {
      await file.dispose();
    }
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    return this.sites.open(version, path);
  }

  async listFiles(version: Version, max: number, withSizes = false): Promise<FileList> {
    return this.sites.listFiles(version, max, withSizes);
  }

  async checksums(version: Version): Promise<ReadonlyMap<string, string> | undefined> {
    return this.sites.checksums(version);
  }

  async openArchive(version: Version): Promise<StoredFile> {
    return this.sites.openArchive(version);
  }

  downloadUrl({ revision, directoryName }: Version, seconds: number): Promise<string> {
    const options = { seconds, fileName: archiveNameOf(directoryName) };
    return this.client.presignedGet(keys.archive(revision), options);
  }

  /** Returns the free space in bytes of the local disk, where uploads are received. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.options.cacheDirectory);
    return bavail * bsize;
  }

  async diskUse(project: string): Promise<DiskUse> {
    const removed = this.replica.current.removedBytesOf(project);
    return diskUseOf(this.catalogue(), project, ({ record }) => record.archive?.size ?? 0, removed);
  }

  async judgeClock(now: Date): Promise<ClockVerdict> {
    // Asks the store, so that its time is of this moment.
    await this.replica.follow();
    const storeMs = this.client.time();
    if (storeMs !== undefined) return judgeByStore(now, storeMs);
    return { kind: 'doubtful', why: 'the responses of the object store have no Date to compare it with' };
  }

  async clearUp(now: Date, options: ClearUpOptions = {}): Promise<number> {
    return this.clearing.run(now.getTime(), options);
  }

  async close(): Promise<void> {
    await this.replica.close();
    await this.cache.close();
    for (const staging of this.stagings) await staging.discard();
    await this.client.close();
  }
}
