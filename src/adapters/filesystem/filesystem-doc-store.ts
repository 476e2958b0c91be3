import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type {
  Archives,
  DocStore,
  FileList,
  HeldFile,
  HowToRead,
  PackSite,
  Publication,
  Published,
  ReadDocinfo,
  SiteEntry,
  Staging,
  StoredFile,
} from '../../application/index.js';
import {
  type Catalogue,
  refuse,
  type SitePath,
  type Version,
  type VersionId,
  whyNotSpelled,
} from '../../domain/index.js';
import { BuiltArchives } from './by-hand.js';
import { CatalogueKeeper } from './catalogue-keeper.js';
import { DirectoryReader } from './directory-reader.js';
import { type Disk, nodeDisk, refusing, syncDirectory, writeNewFile } from './disk.js';
import { DocinfoFiles } from './docinfo-file.js';
import { bringBack, foldsCase, makeUsable, prepare } from './docs-directory.js';
import { FilesystemStaging } from './filesystem-staging.js';
import { Layout } from './layout.js';
import { Lease } from './lease.js';
import { withOwnSteps } from './own-steps.js';
import { Publisher } from './publisher.js';
import { Recovery, WRITTEN_BACK_MS } from './recovery.js';
import type { RemoveTree } from './retirement.js';
import { SiteReader } from './site-reader.js';
import { type Report, type Tools, toolsFor } from './tools.js';
import { recordOf, versionOf } from './version-record.js';

export interface FilesystemOptions {
  /** Restores sites that a power cut damaged, from their archives. */
  readonly archives: Pick<Archives, 'unpack' | 'verify'>;
  readonly readDocinfo: ReadDocinfo;
  /** Opens a directory that cannot be written, for reading only; otherwise that is an error. */
  readonly mayBeReadOnly?: boolean;
  /** Told of what recovery at start found and did. */
  readonly report?: Report;
  /** Removes versions that were replaced or deleted, for the sake of readers; by default it is done with `fs.rm`. */
  readonly removeTree?: RemoveTree;
  readonly disk?: Disk;
  /** How long a replaced or removed generation stays for readers that already found it; 5 s. */
  readonly graceMs?: number;
}

/** When leases that nothing is known of are looked at again: several heartbeats later. */
const LOOK_AGAIN_MS = 90_000;

/**
 * A DocStore on a directory of a POSIX file system. An upload becomes an immutable generation below `.lectern`;
 * a symlink in the docs directory points to the current one, and moving it is the one step that publishes.
 * Several processes may use one directory at the same time.
 */
export class FilesystemDocStore implements DocStore {
  private readonly built: BuiltArchives;
  private readonly reader: SiteReader;
  private readonly publisher: Publisher;
  /** Of uploads. Others than those of directories copied in, which may be on file systems that do not answer. */
  private readonly docinfoFiles: DocinfoFiles;
  private lastPublished = Number.NEGATIVE_INFINITY;
  private lookAgain: NodeJS.Timeout | undefined;
  private recovering: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly tools: Tools,
    private readonly keeper: CatalogueKeeper,
    private readonly options: FilesystemOptions,
  ) {
    const { disk, layout, lease, pointers } = tools;
    this.publisher = new Publisher(tools);
    this.docinfoFiles = new DocinfoFiles(options.readDocinfo);
    this.built = new BuiltArchives(disk, layout, () => lease.nextName());
    this.reader = new SiteReader(this.keeper, pointers, this.built, layout.root);
  }

  /**
   * Finds out at once whether a docs directory can be opened, and makes what is missing of it. Opening it may take
   * a while after a crash.
   * @throws an error with an errno code when the directory cannot be read or written
   */
  static async assertUsable(
    directory: string,
    { disk = nodeDisk, mayBeReadOnly = false }: Pick<FilesystemOptions, 'disk' | 'mayBeReadOnly'>,
  ): Promise<void> {
    await makeUsable(disk, new Layout(resolve(directory)), mayBeReadOnly);
  }

  /**
   * Opens a docs directory, makes it if only its last part is missing, and puts in order what a crash left.
   * @throws an error with an errno code when the directory cannot be read or written
   */
  static async open(directory: string, options: FilesystemOptions): Promise<FilesystemDocStore> {
    const { disk = nodeDisk, mayBeReadOnly = false } = options;
    const layout = new Layout(resolve(directory));
    const lease = await prepare(disk, layout, mayBeReadOnly);
    try {
      const facts = { ...options, foldsCase: await foldsCase(layout) };
      const reader = new DirectoryReader(layout, options.readDocinfo, facts.foldsCase, options.report);
      const keeper = new CatalogueKeeper(layout, reader);
      const ownDisk = withOwnSteps(disk, layout.root, keeper);
      const tools = toolsFor(ownDisk, layout, lease ?? Lease.unwritten(disk), facts);
      const store = new FilesystemDocStore(tools, keeper, options);
      if (lease !== undefined) await store.recover();
      await store.catalogue();
      return store;
    } catch (error) {
      lease?.stop();
      throw error;
    }
  }

  get foldsCase(): boolean {
    return this.tools.foldsCase;
  }

  async catalogue(): Promise<Catalogue> {
    return this.keeper.catalogue();
  }

  catalogueNow(): Catalogue | undefined {
    return this.keeper.catalogueNow();
  }

  async stage(): Promise<Staging> {
    const { disk, layout, lease, retirement } = this.tools;
    const name = lease.nextName();
    const directory = join(layout.incoming, name);
    return refusing(async () => {
      await bringBack(this.tools);
      await disk.mkdir(directory);
      return new FilesystemStaging(disk, directory, name, {
        removeLater: (path) => retirement.path(path),
      });
    });
  }

  async publish(
    staging: Staging,
    publication: Publication,
    { replace }: { replace: boolean },
  ): Promise<Published> {
    if (!(staging instanceof FilesystemStaging)) throw new TypeError('a staging of another store');
    const { disk, layout } = this.tools;
    return refusing(async () => {
      const spelling = this.foldsCase ? whyNotSpelled(publication.id, await this.catalogue()) : undefined;
      if (spelling !== undefined) throw spelling;
      const reading = await this.docinfoFiles.in(staging.siteDirectory);
      const record = recordOf(publication, reading);
      await writeNewFile(disk, staging.generation.record, `${JSON.stringify(record, null, 2)}\n`);
      await staging.archiveIsDurable();
      await syncDirectory(disk, staging.generation.directory);
      const target = layout.pointerTarget(publication.id.directoryName, staging.name);
      const version = versionOf(publication.id, target, record);
      const replaced = await this.orDistrust(
        // At once: a web server that reads the directory itself shows the new version from now on.
        this.publisher.publish(staging, publication.id, { replace, onMoved: () => this.keeper.add(version) }),
      );
      this.lastPublished = performance.now();
      const { problem } = reading;
      return { version, replaced, ...(problem === undefined ? {} : { docinfoProblem: problem }) };
    });
  }

  async remove({ project, label, directoryName }: VersionId): Promise<void> {
    const catalogue = await this.catalogue();
    if (catalogue.project(project) === undefined) throw refuse.projectNotFound(project);
    if (catalogue.version(directoryName) === undefined) throw refuse.versionNotFound(project, label);
    const removed = await refusing(async () => {
      await bringBack(this.tools);
      return this.orDistrust(this.publisher.remove(directoryName));
    });
    this.keeper.drop(directoryName);
    if (!removed) throw refuse.versionNotFound(project, label);
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    return refusing(() => this.reader.open(version, path));
  }

  readNow(version: Version, path: SitePath, how: HowToRead): HeldFile | undefined {
    return this.reader.readNow(version, path, how);
  }

  async listFiles(version: Version, max: number): Promise<FileList> {
    return refusing(() => this.reader.listFiles(version, max));
  }

  async openArchive(version: Version, pack: PackSite): Promise<StoredFile> {
    return refusing(() => this.reader.openArchive(version, pack));
  }

  async freeBytes(): Promise<number> {
    // What is free for this user: a part of the disk is kept back for root.
    const { bavail, bsize } = await refusing(() => statfs(this.tools.layout.root));
    return bavail * bsize;
  }

  async close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async orDistrust<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } catch (error) {
      this.keeper.distrust();
      throw error;
    }
  }

  private async end(): Promise<void> {
    const { lease, retirement } = this.tools;
    clearTimeout(this.lookAgain);
    await this.keeper.close();
    await this.recovering.catch(() => {});
    const isAllGone = await retirement.close();
    await this.built.close();
    // Something is left that a start has to remove: it looks for that only after a crash.
    if (!isAllGone) return lease.stop();
    await lease.giveBack(performance.now() - this.lastPublished > WRITTEN_BACK_MS);
  }

  private async recover(): Promise<void> {
    const recovery = new Recovery(this.tools, this.options.archives);
    if (!(await recovery.run())) return;
    this.lookAgain = setTimeout(() => {
      this.recovering = recovery.run().catch((err: unknown) => this.tools.report('recovery failed', { err }));
    }, LOOK_AGAIN_MS).unref();
  }
}
