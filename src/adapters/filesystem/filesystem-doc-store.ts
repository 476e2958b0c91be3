import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import type {
  Archives,
  CatalogueChange,
  ClearUpOptions,
  DiskUse,
  DocStore,
  FileList,
  LocalStore,
  Publication,
  Published,
  ReadDocinfo,
  RemovedVersion,
  RemoveOptions,
  RestoreOptions,
  SettingsDecision,
  SiteEntry,
  Staging,
  StoredFile,
  TokensDecision,
} from '../../application/index.js';
import { diskUseOf, type Privacy, type PrivateProjects, unpackedBytes } from '../../application/index.js';
import {
  type Catalogue,
  type ClockVerdict,
  type MadeToken,
  type Reader,
  readerOnHostOf,
  type SitePath,
  type Version,
  type VersionId,
} from '../../domain/index.js';
import { refusingStore } from '../../node/refusing-store.js';
import { CatalogueWatcher } from './catalogue/catalogue-watcher.js';
import { DirectoryReader } from './catalogue/directory-reader.js';
import { SettingsFiles } from './catalogue/settings-files.js';
import { BuiltArchives } from './copied/built-archives.js';
import { type Disk, diskRefusalOf, nodeDisk } from './disk.js';
import { foldsCase, makeUsable, prepare, recreateDirectories } from './docs-directory.js';
import { isFirstLease, Lease } from './housekeeping/lease.js';
import { NOT_IN_ORDER, Recovery, WRITTEN_BACK_MS } from './housekeeping/recovery.js';
import { Layout } from './layout.js';
import { assertKnownFormat, formatFor, PRIVATE_FORMAT, writeFormat } from './layout-format.js';
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
import type { Report } from './report.js';
import { type Tools, toolsFor } from './tools.js';

export interface FilesystemOptions {
  /** Restores sites that a power cut damaged, and packs copied-in directories. */
  readonly archives: Pick<Archives, 'unpack' | 'verify' | 'pack'>;
  /** Reader of the docinfo files of copied-in directories. */
  readonly readDocinfo: ReadDocinfo;
  /** Accepts a read-only docs directory, which is an error otherwise. */
  readonly mayBeReadOnly?: boolean;
  /** Who may read what web servers send by the links in `.lectern/public`. Default: `none`, which is everybody. */
  readonly privacy?: Privacy;
  /** Receives warnings, such as the findings of recovery at start. */
  readonly report?: Report;
  readonly disk?: Disk;
  /** Grace period for readers of a replaced or removed generation, in milliseconds; 5 s. */
  readonly graceMs?: number;
  /**
   * Time for which removed and replaced versions can be restored, in milliseconds; `clearUp` deletes what was kept longer.
   * Without it nothing is kept, and what others keep is left alone.
   */
  readonly keepRemovedMs?: number | undefined;
  /** Interval between polls of the docs directory, in milliseconds; 1.5 s. */
  readonly pollMs?: number;
}

/** A reader without a right to any project. */
const NOTHING_SEEN = readerOnHostOf(undefined);
/** Delay before leases of unknown fate are checked again, in milliseconds: several heartbeats. */
const RECHECK_MS = 120_000;

/**
 * A DocStore on a directory of a POSIX file system. An upload becomes an immutable generation below `.lectern`;
 * a symlink in the docs directory points to the current one, and moving it is the one step that publishes.
 * Several processes may use one directory at the same time.
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
  private recheck: NodeJS.Timeout | undefined;
  private recovering: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly tools: Tools,
    reader: DirectoryReader,
    private readonly options: FilesystemOptions,
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
      await (lease === undefined ? store.startReading() : store.start());
      return refusingStore(store, diskRefusalOf);
    } catch (error) {
      lease?.stop();
      throw error;
    }
  }

  get foldsCase(): boolean {
    return this.tools.foldsCase;
  }

  /** Whether projects in it may be private: who does not know the rules must not serve it. */
  async hasPrivate(): Promise<boolean> {
    return (await assertKnownFormat(this.tools.layout, 'unserved')) === PRIVATE_FORMAT;
  }

  catalogue(): Catalogue {
    return this.watcher.catalogue();
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    return this.watcher.subscribe(listener);
  }

  async stage(): Promise<Staging> {
    await recreateDirectories(this.tools);
    return FilesystemStaging.create(this.tools);
  }

  async publish(
    staging: Staging,
    publication: Publication,
    options: { readonly replace: boolean },
  ): Promise<Published> {
    return this.publications.publish(staging, publication, options);
  }

  async remove(id: VersionId, options: RemoveOptions = {}): Promise<void> {
    return this.publications.remove(id, options);
  }

  async changeSettings(project: string, decide: SettingsDecision): Promise<void> {
    return this.settings.change(project, decide);
  }

  async madeTokens(): Promise<readonly MadeToken[]> {
    return this.made.read();
  }

  async changeMadeTokens(decide: TokensDecision): Promise<void> {
    return this.made.change(decide);
  }

  async removed(): Promise<readonly RemovedVersion[]> {
    return this.tools.removed.list();
  }

  async restore(removed: RemovedVersion, options: RestoreOptions): Promise<Published> {
    return this.restoration.restore(removed, options);
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

  localPath(file: StoredFile): string | undefined {
    return file instanceof LocalFile ? file.localPath : undefined;
  }

  async freeBytes(): Promise<number> {
    // `bavail`, not `bfree`: a part of the disk is reserved for root.
    const { bavail, bsize } = await statfs(this.tools.layout.root);
    return bavail * bsize;
  }

  derivedPath(revision: string, name: string): string | undefined {
    return this.tools.lease.isWritten ? this.derived.place(revision, name) : undefined;
  }

  async isFirst(): Promise<boolean> {
    return isFirstLease(this.tools.lease, this.tools.layout.running);
  }

  async diskUse(project: string): Promise<DiskUse> {
    const removed = await this.removedSizes.of(project);
    return diskUseOf(this.catalogue(), project, unpackedBytes, removed);
  }

  async judgeClock(now: Date, uptimeMs: number | undefined): Promise<ClockVerdict> {
    return this.tools.lastRound.judge(now, uptimeMs);
  }

  async clearUp(now: Date, { all = false }: ClearUpOptions = {}): Promise<number> {
    return this.tools.removed.expire(now, all);
  }

  async showInPublic(reader: Reader): Promise<void> {
    if (this.tools.lease.isWritten) await this.links.showTo(reader);
  }

  async close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  /** Starts on a directory that cannot be written. @throws Error when its layout number is not that of its privacy */
  private async startReading(): Promise<void> {
    const { privacy } = this.tools;
    const found = await assertKnownFormat(this.tools.layout, privacy);
    const isPrivate = found === PRIVATE_FORMAT;
    if (isPrivate !== (formatFor(privacy, found) === PRIVATE_FORMAT)) {
      const [number, which] = isPrivate ? [2, 'no longer has'] : [PRIVATE_FORMAT, 'has'];
      throw new Error(
        `it cannot be written, and .lectern/format has to say that it ${which} private projects: write ${number} into it`,
      );
    }
    await this.watcher.start();
  }

  private async start(): Promise<void> {
    const { layout, privacy } = this.tools;
    const found = await assertKnownFormat(layout, privacy);
    const number = formatFor(privacy, found);
    await this.recover();
    // Before anything else: whoever does not know the rules is kept out from here on.
    if (number === PRIVATE_FORMAT && found !== number) await writeFormat(this.tools, number);
    const derived = await this.derived.derived();
    this.watcher.subscribe((change) => this.reportShadows(change));
    await this.watcher.start();
    this.watcher.subscribe((change) => {
      this.links.expect(change);
      this.derived.drop(change.gone.map(({ revision }) => revision));
    });
    if (typeof privacy === 'object') await this.links.showTo(privacy);
    else if (number === PRIVATE_FORMAT) {
      // Servers, which know the rules, make the links; a command removes those of what it changes.
      await this.links.showTo(NOTHING_SEEN, false);
    } else {
      await this.attempt(() => this.links.expectAll());
      await this.links.update();
    }
    await this.attempt(() => this.derived.sweep(derived));
    if (number !== PRIVATE_FORMAT && found !== number) {
      await this.attempt(() => writeFormat(this.tools, number));
    }
  }

  /** Says which copied-in directories take the address of an alias. */
  private reportShadows({ came, gone }: CatalogueChange): void {
    const catalogue = this.watcher.catalogue();
    // Those that only changed have been reported.
    const before = new Set(gone.map(({ directoryName }) => directoryName));
    for (const { origin, project, label, directoryName } of came) {
      if (
        origin !== 'copied' ||
        before.has(directoryName) ||
        !catalogue.settingsOf(project).aliases.has(label)
      )
        continue;
      this.tools.report('a copied-in directory has the address of an alias, and is served there instead', {
        version: directoryName,
      });
    }
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    await work().catch((err: unknown) => this.tools.report(NOT_IN_ORDER, { err }));
  }

  private async end(): Promise<void> {
    const { lease, locks, unused } = this.tools;
    clearTimeout(this.recheck);
    await this.watcher.close();
    await this.recovering.catch(() => {});
    await this.derived.close();
    await locks.close();
    const isAllGone = await unused.close();
    await this.built.close();
    // A lease left as by a crash makes the next start remove the rest.
    if (!isAllGone) return lease.stop();
    await lease.giveBack(performance.now() - this.publications.lastPublished > WRITTEN_BACK_MS);
  }

  private async recover(): Promise<void> {
    const recovery = new Recovery(this.tools, this.options.archives);
    if (!(await recovery.run())) return;
    this.recheck = setTimeout(() => {
      this.recovering = recovery.run().catch((err: unknown) => this.tools.report('recovery failed', { err }));
    }, RECHECK_MS).unref();
  }
}
