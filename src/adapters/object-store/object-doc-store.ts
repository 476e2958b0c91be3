import { randomBytes } from 'node:crypto';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type {
  Archives,
  ByteRange,
  CatalogueChange,
  DirectDownloads,
  DocStore,
  FileList,
  Publication,
  Published,
  PublisherNames,
  ReadDocinfo,
  SiteEntry,
  Staging,
  StoredFile,
} from '../../application/index.js';
import {
  archiveNameOf,
  type Catalogue,
  DOCINFO_FILES,
  type DocinfoReading,
  docinfoTooLarge,
  MAX_DOCINFO_BYTES,
  Refusal,
  refuse,
  SitePath,
  type Version,
  type VersionId,
} from '../../domain/index.js';
import type { ArchiveIndex } from '../../formats/index.js';
import { recordOf } from '../../formats/publication-record.js';
import { ArchiveCache } from './archives/archive-cache.js';
import { ArchiveFiles } from './archives/archive-files.js';
import { ArchivedFile } from './archives/archived-file.js';
import { Clearing, KEPT_MS } from './clearing.js';
import type { ObjectClient } from './client/object-client.js';
import { keys } from './keys.js';
import { type RevisionRecord, versionOfRecord } from './log/commit.js';
import { CommitLog } from './log/commit-log.js';
import { Replica } from './log/replica.js';
import { Snapshots } from './log/snapshots.js';
import { ObjectDerivedFiles } from './object-derived-files.js';
import { ObjectDocuments } from './object-documents.js';
import { ObjectFile } from './object-file.js';
import { ObjectStaging } from './object-staging.js';
import { refusing } from './refusing.js';

/** Time for which a download URL is valid, in seconds: to begin the download, not to end it. */
const DOWNLOAD_SECONDS = 600;

export interface ObjectDocStoreOptions {
  readonly archives: Pick<Archives, 'index'>;
  readonly readDocinfo?: ReadDocinfo;
  /** Local directory for uploads being checked, and for cached archives. Anything in it may be deleted at any time. */
  readonly cacheDirectory: string;
  /** Max. bytes of the cached archives. */
  readonly cacheBytes: number;
  /** Milliseconds between two looks for changes by other nodes. */
  readonly pollMs: number;
  /** Whether this node only reads: it has no tokens, and perhaps no right to write. */
  readonly isReadOnly?: boolean;
  /** Whether this is the only writer, of a store that cannot create objects exclusively. */
  readonly isOnlyWriter?: boolean;
  readonly report?: (message: string, fields: object) => void;
}

/**
 * A DocStore in an object store with the S3 API. Any number of nodes may use one at the same time.
 *
 * An upload becomes two objects, the archive and its index, under keys that are never used twice; one commit in the log
 * makes it public. Pages are read from the archive.
 */
export class ObjectDocStore implements DocStore, DirectDownloads, PublisherNames {
  readonly foldsCase = false;
  readonly documents: ObjectDocuments;
  readonly derived: ObjectDerivedFiles;
  /** Stagings that are not discarded yet. */
  private readonly stagings = new Set<ObjectStaging>();

  private constructor(
    private readonly client: ObjectClient,
    private readonly options: ObjectDocStoreOptions,
    private readonly replica: Replica,
    private readonly cache: ArchiveCache,
    private readonly archives: ArchiveFiles,
    private readonly clearing: Clearing,
  ) {
    this.documents = new ObjectDocuments(client);
    this.derived = new ObjectDerivedFiles(client, cache.incoming, (revision) =>
      replica.current.isPublished(revision),
    );
  }

  /** @throws StoreError; UnknownFormat; an error of the local disk */
  static async open(client: ObjectClient, options: ObjectDocStoreOptions): Promise<ObjectDocStore> {
    const {
      cacheDirectory: directory,
      cacheBytes: maxBytes,
      pollMs,
      isReadOnly,
      report = () => {},
    } = options;
    const cache = await ArchiveCache.open(client, { directory, maxBytes, report });
    await removeOld(cache.incoming);
    const log = new CommitLog(client, options.isOnlyWriter);
    const replica = await Replica.open(log, new Snapshots(client), { pollMs, report });
    const clearing = new Clearing(client, replica, report);
    if (isReadOnly !== true) clearing.start();
    const archives = new ArchiveFiles(client, cache, options.archives, () => replica.assertInReach());
    return new ObjectDocStore(client, options, replica, cache, archives, clearing);
  }

  /** Why the store could not be reached at the last look; undefined when it could. */
  get problem(): Error | undefined {
    return this.replica.problem;
  }

  /** Status for metrics. */
  status() {
    return {
      isReachable: this.replica.problem === undefined,
      commit: this.replica.current.number,
      cache: this.cache.status,
    };
  }

  catalogue(): Catalogue {
    return this.replica.catalogue;
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    return this.replica.subscribe(listener);
  }

  async stage(): Promise<Staging> {
    return refusing(async () => {
      const staging = await ObjectStaging.create(this.cache.incoming, (each) => this.stagings.delete(each));
      this.stagings.add(staging);
      return staging;
    });
  }

  async publish(
    staging: Staging,
    publication: Publication,
    { replace }: { readonly replace: boolean },
  ): Promise<Published> {
    if (!(staging instanceof ObjectStaging) || staging.index === undefined) {
      throw new TypeError('a staging of another store, or not prepared');
    }
    const { archiveFile: path, index } = staging;
    const { id, archive } = publication;
    const revision = newRevision();
    return refusing(async () => {
      const reading = await this.docinfoOf(staging, index);
      const { docinfo, problem } = reading;
      const record = { revision, ...recordOf({ ...publication, docinfo }) };
      const began = Date.now();
      await Promise.all([
        this.client.put(keys.archive(revision), { path, size: archive.size }),
        this.client.put(keys.index(revision), Buffer.from(index.toString())),
      ]);
      const replaced = await this.commit(id, record, replace, began);
      const version = versionOfRecord(record);
      // For the first readers, who need not ask the store.
      this.archives.remember(revision, index);
      await this.cache.adopt(version, path).catch(() => {});
      await staging.discard();
      return { version, replaced, ...(problem === undefined ? {} : { docinfoProblem: problem }) };
    });
  }

  async remove(
    { project, label }: VersionId,
    { revision }: { readonly revision?: string } = {},
  ): Promise<void> {
    await refusing(() =>
      this.replica.change(({ catalogue }) => {
        const versions = catalogue.project(project);
        if (versions === undefined) throw refuse.projectNotFound(project);
        const version = versions.version(label);
        if (version === undefined || (revision !== undefined && revision !== version.revision)) {
          throw refuse.versionNotFound(project, label);
        }
        return { kind: 'remove', project, version: label, revision: version.revision };
      }),
    );
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    return refusing(async () => {
      const found = await this.contentOf(version);
      if (found === undefined) return undefined;
      const file = found.index.find(path.toString());
      if (file === undefined) {
        return found.index.hasDirectory(path.toString()) ? { kind: 'directory' } : undefined;
      }
      return { kind: 'file', file: new ArchivedFile(this.archives.archiveOf(found.version), file) };
    });
  }

  async listFiles(version: Version, max: number): Promise<FileList> {
    return refusing(async () => {
      const paths: string[] = [];
      for (const path of (await this.contentOf(version))?.index.paths ?? []) {
        if (SitePath.of(path)?.isHidden !== false) continue;
        if (paths.length === max) return { paths, more: true };
        paths.push(path);
      }
      return { paths, more: false };
    });
  }

  async openArchive(version: Version): Promise<StoredFile> {
    const { project, label, archive, revision, publishedAt: modifiedAt } = version;
    if (archive === undefined || !this.replica.current.isKnown(revision)) {
      throw refuse.versionNotFound(project, label);
    }
    const { read } = this.archives.archiveOf(version);
    return new ObjectFile({ size: archive.size, etag: archive.sha256, modifiedAt }, read);
  }

  downloadUrl({ revision, directoryName }: Version): Promise<string> {
    const options = { seconds: DOWNLOAD_SECONDS, fileName: archiveNameOf(directoryName) };
    return refusing(() => this.client.presignedGet(keys.archive(revision), options));
  }

  async publisherOf({ revision }: Version): Promise<string | undefined> {
    return this.replica.current.record(revision)?.token;
  }

  /** Returns the free space in bytes of the local disk, where uploads are received. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.options.cacheDirectory);
    return bavail * bsize;
  }

  async close(): Promise<void> {
    await this.clearing.close();
    await this.replica.close();
    await this.cache.close();
    for (const staging of this.stagings) await staging.discard();
    await this.client.close();
  }

  /** Publishes what was put into the store. @returns whether a version was replaced */
  private async commit(
    { project, label }: VersionId,
    record: RevisionRecord,
    replace: boolean,
    began: number,
  ): Promise<boolean> {
    let replaces: string | undefined;
    try {
      await this.replica.change(({ catalogue }) => {
        // Other nodes take objects without a commit for forgotten ones by then.
        if (Date.now() - began > KEPT_MS / 2) throw refuse.storageUnavailable({}, 'The object store');
        replaces = catalogue.project(project)?.version(label)?.revision;
        if (replaces !== undefined && !replace) throw refuse.versionExists(project, label, '');
        return { kind: 'publish', record, ...(replaces === undefined ? {} : { replaces }) };
      });
    } catch (error) {
      // After other errors the commit may be in the log; if it is not, the objects are swept.
      if (error instanceof Refusal) {
        const { revision } = record;
        await this.client.remove([keys.archive(revision), keys.index(revision)]).catch(() => {});
      }
      throw error;
    }
    return replaces !== undefined;
  }

  /** The content of this publication, or of the one that replaced it if that was long ago. */
  private async contentOf(
    version: Version,
  ): Promise<{ readonly version: Version; readonly index: ArchiveIndex } | undefined> {
    const index = await this.archives.indexOf(version);
    if (index !== undefined) return { version, index };
    const now = this.replica.catalogue.version(version.directoryName);
    return now === undefined || now.revision === version.revision ? undefined : this.contentOf(now);
  }

  private async docinfoOf(staging: ObjectStaging, index: ArchiveIndex): Promise<DocinfoReading> {
    const name = DOCINFO_FILES.find((each) => index.find(each) !== undefined);
    const file = name === undefined ? undefined : index.find(name);
    if (file === undefined) return {};
    if (file.size > MAX_DOCINFO_BYTES) return { problem: `${name} ${docinfoTooLarge}` };
    const archive = {
      revision: '',
      publishedAt: new Date(0),
      read: (range: ByteRange) => staging.read(range),
      distrust() {},
    };
    const text = (await buffer(new ArchivedFile(archive, file).stream())).toString('utf8');
    const { docinfo, problem } = this.options.readDocinfo?.(text) ?? {};
    if (problem !== undefined) return { problem: `${name} ${problem}` };
    return docinfo === undefined ? {} : { docinfo };
  }
}

/** A name that no node has used or will use. It begins with the time, so that names sort by it. */
function newRevision(): string {
  return `${Date.now().toString(36)}-${randomBytes(10).toString('hex')}`;
}

/** Removes uploads that a process has left behind: those without a change for a day. */
async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const changed = await stat(path).catch(() => undefined);
    if (changed !== undefined && Date.now() - changed.mtimeMs > KEPT_MS) {
      await rm(path, { recursive: true, force: true }).catch(() => {});
    }
  }
}
