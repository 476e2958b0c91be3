import { access, constants, mkdir, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type {
  Archives,
  DocStore,
  PackSite,
  Publication,
  Published,
  ReadDocinfo,
  SiteEntry,
  Staging,
  StoredFile,
} from '../../application/index.js';
import { type Catalogue, refuse, SitePath, type Version, type VersionId } from '../../domain/index.js';
import { BuiltArchives, openByHand } from './by-hand.js';
import { CatalogueKeeper } from './catalogue-keeper.js';
import { type Disk, errnoOf, nodeDisk, syncDirectory, unless, writeNewFile } from './disk.js';
import { readDocinfoFile } from './docinfo-file.js';
import { FilesystemStaging } from './filesystem-staging.js';
import { Layout } from './layout.js';
import { Lease } from './lease.js';
import { Publisher } from './publisher.js';
import { Recovery, type Report } from './recovery.js';
import { Serial } from './serial.js';
import { NOTHING_THERE, openEntry } from './stored-file.js';
import { recordOf, versionOf } from './version-record.js';

export interface FilesystemOptions {
  /** Restores sites that a power cut damaged, from their archives. */
  readonly archives: Pick<Archives, 'unpack' | 'verify'>;
  readonly readDocinfo: ReadDocinfo;
  /** Opens a directory that cannot be written, for reading only; otherwise that is an error. */
  readonly mayBeReadOnly?: boolean;
  /** Told of what recovery at start found and did. */
  readonly report?: Report;
  readonly disk?: Disk;
  /** How long a replaced or removed generation stays for readers that already found it; 5 s. */
  readonly graceMs?: number;
}

const GRACE_MS = 5_000;
/** When another machine's lease is looked at again: it is dead or renewed by then. */
const LOOK_AGAIN_MS = 90_000;

/**
 * A DocStore on a directory of a POSIX file system. An upload becomes an immutable generation below `.lectern`;
 * a symlink in the docs directory points to the current one, and moving it is the one step that publishes.
 * Several processes may use one directory at the same time.
 */
export class FilesystemDocStore implements DocStore {
  private readonly keeper: CatalogueKeeper;
  private readonly built: BuiltArchives;
  private readonly serial = new Serial();
  private readonly retiring = new Map<string, NodeJS.Timeout>();
  private lookAgain: NodeJS.Timeout | undefined;

  private constructor(
    private readonly layout: Layout,
    private readonly disk: Disk,
    private readonly lease: Lease,
    private readonly publisher: Publisher,
    private readonly foldsCase: boolean,
    private readonly options: FilesystemOptions,
  ) {
    this.keeper = new CatalogueKeeper(layout, options.readDocinfo);
    this.built = new BuiltArchives(disk, layout, () => lease.nextName());
  }

  /**
   * Opens a docs directory, makes it if only its last part is missing, and puts in order what a crash left.
   * @throws an error with an errno code when the directory cannot be read or written
   */
  static async open(directory: string, options: FilesystemOptions): Promise<FilesystemDocStore> {
    const { disk = nodeDisk, report = () => {} } = options;
    const layout = new Layout(resolve(directory));
    const isWritable = await prepare(layout, options.mayBeReadOnly ?? false);
    const lease = isWritable ? await Lease.take(disk, layout.running) : Lease.unwritten(disk);
    const publisher = new Publisher(disk, layout, lease);
    const recovery = new Recovery(disk, layout, lease, publisher, options.archives, report);
    const store = new FilesystemDocStore(layout, disk, lease, publisher, await foldsCase(layout), options);
    if (isWritable && (await recovery.run())) {
      store.lookAgain = setTimeout(() => void recovery.run().catch(() => {}), LOOK_AGAIN_MS).unref();
    }
    await store.catalogue();
    return store;
  }

  async catalogue(): Promise<Catalogue> {
    return this.keeper.catalogue();
  }

  async stage(): Promise<Staging> {
    const name = this.lease.nextName();
    const directory = join(this.layout.incoming, name);
    await this.reaching(() => this.disk.mkdir(directory));
    return new FilesystemStaging(this.disk, directory, name, this.foldsCase);
  }

  async publish(
    staging: Staging,
    publication: Publication,
    { replace }: { replace: boolean },
  ): Promise<Published> {
    if (!(staging instanceof FilesystemStaging)) throw new TypeError('a staging of another store');
    const { id } = publication;
    const reading = await readDocinfoFile(staging.siteDirectory, this.options.readDocinfo);
    const record = recordOf(publication, reading);
    await writeNewFile(this.disk, staging.generation.record, `${JSON.stringify(record, null, 2)}\n`);
    await staging.archiveIsDurable();
    await syncDirectory(this.disk, staging.generation.directory);
    return this.serial.run(id.directoryName, async () => {
      const replaced = await this.publisher.publish(staging, id, replace);
      const version = versionOf(id, record);
      this.keeper.add(version, staging.generation);
      if (replaced) this.retireLater(id.directoryName);
      return {
        version,
        replaced,
        ...(reading.problem === undefined ? {} : { docinfoProblem: reading.problem }),
      };
    });
  }

  async remove({ project, label, directoryName }: VersionId): Promise<void> {
    const catalogue = await this.catalogue();
    if (catalogue.project(project) === undefined) throw refuse.projectNotFound(project);
    if (catalogue.version(directoryName) === undefined) throw refuse.versionNotFound(project, label);
    await this.serial.run(directoryName, async () => {
      const removed = await this.publisher.remove(directoryName);
      this.keeper.drop(directoryName);
      if (!removed) throw refuse.versionNotFound(project, label);
      this.retireLater(directoryName);
    });
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    const place = this.keeper.placeOf(version);
    if (place === undefined) return undefined;
    if (place.generation === undefined) return openByHand(place.site, path);
    // Generations hold no links: nothing but files and directories is ever unpacked.
    return openEntry(join(place.site, ...path.components));
  }

  async listFiles(version: Version, most: number): Promise<readonly string[]> {
    const site = this.keeper.placeOf(version)?.site;
    if (site === undefined) return [];
    const entries = await unless(NOTHING_THERE, readdir(site, { recursive: true, withFileTypes: true }));
    return (entries ?? [])
      .filter((entry) => entry.isFile())
      .map((entry) => relative(site, join(entry.parentPath, entry.name)))
      .filter((path) => SitePath.of(path)?.isHidden === false)
      .sort()
      .slice(0, most);
  }

  async openArchive(version: Version, pack: PackSite): Promise<StoredFile> {
    const place = this.keeper.placeOf(version);
    const gone = () => refuse.versionNotFound(version.project, version.label);
    if (place === undefined) throw gone();
    if (place.generation === undefined) {
      const built = await this.built.open(version, place.site, pack);
      if (built === undefined) throw gone();
      return built;
    }
    const entry = await openEntry(place.generation.archive, version.archive?.sha256);
    if (entry?.kind !== 'file') throw gone();
    return entry.file;
  }

  async freeBytes(): Promise<number> {
    // What is free for this user: a part of the disk is kept back for root.
    const { bavail, bsize } = await statfs(this.layout.root);
    return bavail * bsize;
  }

  async close(): Promise<void> {
    clearTimeout(this.lookAgain);
    const retiring = [...this.retiring.keys()];
    for (const timer of this.retiring.values()) clearTimeout(timer);
    this.retiring.clear();
    for (const name of retiring) await this.retire(name, 0);
    await this.built.close();
    await this.lease.giveBack();
  }

  /** Readers that already found the old generation finish with it; then it goes. */
  private retireLater(directoryName: string): void {
    const graceMs = this.options.graceMs ?? GRACE_MS;
    if (this.retiring.has(directoryName)) return;
    const timer = setTimeout(() => {
      this.retiring.delete(directoryName);
      void this.retire(directoryName, graceMs);
    }, graceMs + 100).unref();
    this.retiring.set(directoryName, timer);
  }

  private async retire(directoryName: string, graceMs: number): Promise<void> {
    try {
      const left = await this.serial.run(directoryName, () =>
        this.publisher.removeRetired(directoryName, graceMs),
      );
      if (left) this.retireLater(directoryName);
      for (const name of await readdir(this.layout.trash)) {
        if (!name.startsWith(`${this.lease.id}.`)) continue;
        await this.disk.rm(join(this.layout.trash, name), { recursive: true, force: true });
      }
    } catch (error) {
      this.options.report?.('could not remove an old generation; a later start will', { err: error });
    }
  }

  /** Our own directories may have gone with the docs directory, and come back without it. */
  private async reaching(work: () => Promise<unknown>): Promise<void> {
    if (
      (await unless(
        ['ENOENT'],
        work().then(() => true),
      )) !== undefined
    )
      return;
    try {
      await stat(this.layout.root);
      for (const directory of this.layout.directories) await mkdir(directory, { recursive: true });
      await work();
    } catch (error) {
      throw refuse.storageUnavailable({ cause: error });
    }
  }
}

/** @returns whether the directory can be written; our own directories are there then */
async function prepare(layout: Layout, mayBeReadOnly: boolean): Promise<boolean> {
  const { root } = layout;
  if ((await unless(['ENOENT'], stat(root))) === undefined) {
    await stat(dirname(root));
    await mkdir(root);
  }
  await readdir(root);
  try {
    await access(root, constants.W_OK | constants.X_OK);
    for (const directory of layout.directories) await mkdir(directory, { recursive: true });
    return true;
  } catch (error) {
    if (mayBeReadOnly && ['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) return false;
    throw error;
  }
}

/** Whether the file system takes `.LECTERN` for `.lectern`. */
async function foldsCase(layout: Layout): Promise<boolean> {
  return (await unless(NOTHING_THERE, stat(join(layout.root, '.LECTERN')))) !== undefined;
}
