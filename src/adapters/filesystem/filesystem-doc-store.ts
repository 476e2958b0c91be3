import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type CatalogueChange,
  type ClearUpOptions,
  type DiskUse,
  type DocStore,
  diskUseOf,
  type FileList,
  type LocalStore,
  type PrivateProjects,
  type Publication,
  type Published,
  type Removal,
  type RemovedVersion,
  type RemoveOptions,
  type RestoreOptions,
  type SettingsDecision,
  type SiteEntry,
  type Staging,
  type StoredFile,
  type TokensDecision,
  unpackedBytes,
} from '../../application/index.js';
import type {
  Catalogue,
  ClockVerdict,
  MadeToken,
  Reader,
  SitePath,
  Version,
  VersionId,
} from '../../domain/index.js';
import { refusing } from '../../node/system-errors.js';
import { CatalogueWatcher } from './catalogue/catalogue-watcher.js';
import { DirectoryReader } from './catalogue/directory-reader.js';
import { SettingsFiles } from './catalogue/settings-files.js';
import { BuiltArchives } from './copied/built-archives.js';
import { diskRefusalOf, nodeDisk } from './disk.js';
import {
  assertKnownFormat,
  foldsCase,
  makeUsable,
  PRIVATE_FORMAT,
  prepare,
  recreateDirectories,
} from './docs-directory.js';
import { isFirstLease, Lease } from './housekeeping/lease.js';
import { WRITTEN_BACK_MS } from './housekeeping/recovery.js';
import { Layout } from './layout.js';
import { LocalDerivedFiles } from './local-derived-files.js';
import { FilesystemMadeTokens } from './made-tokens.js';
import { PublicLinks } from './publishing/public-links.js';
import { Publications } from './publishing/publications.js';
import { SettingsWriter } from './publishing/settings-writer.js';
import { FilesystemStaging } from './publishing/staging.js';
import { SiteReader } from './reading/site-reader.js';
import { LocalFile } from './reading/stored-file.js';
import { RemovedSizes } from './removed/removed-sizes.js';
import { Restoration } from './removed/restoration.js';
import { start, startReading } from './start.js';
import { type FilesystemOptions, type Tools, toolsFor } from './tools.js';

/**
 * A DocStore on a directory of a POSIX file system. An upload becomes an immutable generation below `.lectern`;
 * a symlink in the docs directory points to the current one, and moving it is the one step that publishes.
 * Several processes may use one directory at the same time. Each method that meets the disk is `refusing`.
 */
export class FilesystemDocStore implements DocStore, LocalStore, PrivateProjects {
  readonly derived: LocalDerivedFiles;
  private readonly built: BuiltArchives;
  private readonly removedSizes: RemovedSizes;
  private readonly watcher: CatalogueWatcher;
  private readonly links: PublicLinks;
  private readonly sites: SiteReader;
  private readonly publications: Publications;
  private readonly settings: SettingsWriter;
  private readonly restoration: Restoration;
  private readonly made: FilesystemMadeTokens;
  /** Ends what the start has left running. */
  private endRecovery = async () => {};
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly tools: Tools,
    reader: DirectoryReader,
    options: FilesystemOptions,
  ) {
    const { disk, layout, lease, pointers } = tools;
    const catalogue = () => this.watcher.catalogue();
    this.built = new BuiltArchives(disk, layout, () => lease.nextName(), options.archives);
    this.removedSizes = new RemovedSizes(layout);
    this.sites = new SiteReader(layout, this.built, tools.report);
    this.derived = new LocalDerivedFiles(tools, catalogue);
    this.links = new PublicLinks(disk, layout, pointers, catalogue, tools.report);
    const settings = new SettingsFiles(layout, tools.report);
    this.watcher = new CatalogueWatcher(layout.root, reader, settings, {
      pollMs: options.pollMs,
      afterPoll: () => this.links.update(),
    });
    this.settings = new SettingsWriter(tools, settings, this.watcher, this.links, reader);
    this.publications = new Publications(tools, reader, this.watcher, this.links, this.settings);
    this.made = new FilesystemMadeTokens(tools);
    this.restoration = new Restoration(tools, this.publications, options.archives);
  }

  /**
   * Checks that a docs directory can be opened, and creates missing directories. Unlike `open`, never recovers from a
   * crash.
   * @throws an error with an errno code when the directory cannot be read or written, or with a sentence when its
   *   layout is older or newer than this program
   */
  static async assertUsable(
    directory: string,
    {
      disk = nodeDisk,
      mayBeReadOnly = false,
      privacy,
    }: Pick<FilesystemOptions, 'disk' | 'mayBeReadOnly' | 'privacy'>,
  ): Promise<void> {
    await makeUsable(disk, new Layout(resolve(directory)), mayBeReadOnly, privacy);
  }

  /**
   * Opens a docs directory. Creates it if only its last part is missing, and recovers from crashes.
   * @throws like `assertUsable`
   */
  static async open(directory: string, options: FilesystemOptions): Promise<FilesystemDocStore> {
    const { disk = nodeDisk, mayBeReadOnly = false, privacy } = options;
    const layout = new Layout(resolve(directory));
    const lease = await prepare(disk, layout, mayBeReadOnly, privacy);
    try {
      const facts = { ...options, foldsCase: await foldsCase(layout) };
      const reader = new DirectoryReader(layout, options.readDocinfo, facts.foldsCase, options.report);
      const tools = toolsFor(disk, layout, lease ?? Lease.unwritten(disk), facts);
      const store = new FilesystemDocStore(tools, reader, options);
      const { watcher, links, derived } = store;
      if (lease === undefined) await startReading(tools, watcher);
      else store.endRecovery = await start({ tools, watcher, links, derived }, options.archives);
      return store;
    } catch (error) {
      lease?.stop();
      throw error;
    }
  }

  get foldsCase(): boolean {
    return this.tools.foldsCase;
  }

  /** Whether projects in it may be private: whoever does not know the rules must not serve it. */
  async hasPrivate(): Promise<boolean> {
    const format = await refusing(diskRefusalOf, () => assertKnownFormat(this.tools.layout, 'unserved'));
    return format === PRIVATE_FORMAT;
  }

  catalogue(): Catalogue {
    return this.watcher.catalogue();
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    return this.watcher.subscribe(listener);
  }

  stage(): Promise<Staging> {
    return refusing(diskRefusalOf, async () => {
      await recreateDirectories(this.tools);
      return FilesystemStaging.create(this.tools);
    });
  }

  publish(
    staging: Staging,
    publication: Publication,
    options: { readonly replace: boolean },
  ): Promise<Published> {
    return refusing(diskRefusalOf, () => this.publications.publish(staging, publication, options));
  }

  remove(id: VersionId, options: RemoveOptions = {}): Promise<void> {
    return refusing(diskRefusalOf, () => this.publications.remove(id, options));
  }

  changeSettings(project: string, decide: SettingsDecision): Promise<void> {
    return refusing(diskRefusalOf, () => this.settings.change(project, decide));
  }

  madeTokens(): Promise<readonly MadeToken[]> {
    return refusing(diskRefusalOf, () => this.made.read());
  }

  changeMadeTokens(decide: TokensDecision): Promise<void> {
    return refusing(diskRefusalOf, () => this.made.change(decide));
  }

  removed(): Promise<readonly RemovedVersion[]> {
    return refusing(diskRefusalOf, () => this.tools.removed.list());
  }

  removals(): Promise<readonly Removal[]> {
    return refusing(diskRefusalOf, () => this.tools.removed.removals());
  }

  restore(removed: RemovedVersion, options: RestoreOptions): Promise<Published> {
    return refusing(diskRefusalOf, () => this.restoration.restore(removed, options));
  }

  open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    return refusing(diskRefusalOf, () => this.sites.open(version, path));
  }

  listFiles(version: Version, max: number, withSizes = false): Promise<FileList> {
    return refusing(diskRefusalOf, () => this.sites.listFiles(version, max, withSizes));
  }

  checksums(version: Version): Promise<ReadonlyMap<string, string> | undefined> {
    return refusing(diskRefusalOf, () => this.sites.checksums(version));
  }

  openArchive(version: Version): Promise<StoredFile> {
    return refusing(diskRefusalOf, () => this.sites.openArchive(version));
  }

  localPath(file: StoredFile): string | undefined {
    return file instanceof LocalFile ? file.localPath : undefined;
  }

  async freeBytes(): Promise<number> {
    // `bavail`, not `bfree`: a part of the disk is reserved for root.
    const { bavail, bsize } = await refusing(diskRefusalOf, () => statfs(this.tools.layout.root));
    return bavail * bsize;
  }

  derivedPath(revision: string, name: string): string | undefined {
    return this.tools.lease.isWritten ? this.derived.place(revision, name) : undefined;
  }

  isFirst(): Promise<boolean> {
    return refusing(diskRefusalOf, () => isFirstLease(this.tools.lease, this.tools.layout.running));
  }

  async diskUse(project: string): Promise<DiskUse> {
    const removed = await refusing(diskRefusalOf, () => this.removedSizes.of(project));
    return diskUseOf(this.catalogue(), project, unpackedBytes, removed);
  }

  judgeClock(now: Date, uptimeMs: number | undefined): Promise<ClockVerdict> {
    return refusing(diskRefusalOf, () => this.tools.lastRound.judge(now, uptimeMs));
  }

  clearUp(now: Date, { all = false }: ClearUpOptions = {}): Promise<number> {
    return refusing(diskRefusalOf, () => this.tools.removed.expire(now, all));
  }

  async showInPublic(reader: Reader): Promise<void> {
    if (this.tools.lease.isWritten) await refusing(diskRefusalOf, () => this.links.showTo(reader));
  }

  close(): Promise<void> {
    this.closing ??= refusing(diskRefusalOf, () => this.end());
    return this.closing;
  }

  private async end(): Promise<void> {
    const { lease, locks, unused } = this.tools;
    await this.watcher.close();
    await this.endRecovery();
    await this.derived.close();
    await locks.close();
    const isAllGone = await unused.close();
    await this.built.close();
    // A lease left as by a crash makes the next start remove the rest.
    if (!isAllGone) return lease.stop();
    await lease.giveBack(performance.now() - this.publications.lastPublished > WRITTEN_BACK_MS);
  }
}
