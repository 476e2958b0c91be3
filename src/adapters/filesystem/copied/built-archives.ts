import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type Archives, KeyedMutex, type SiteEntry, type StoredFile } from '../../../application/index.js';
import type { Version } from '../../../domain/index.js';
import { syncFile } from '../../../node/directories.js';
import { hasErrno, unless } from '../../../node/system-errors.js';
import { type Disk, NOTHING_THERE } from '../disk.js';
import type { Layout } from '../layout.js';
import { openEntry } from '../reading/stored-file.js';
import { temporaryDirectory } from '../temporary-directory.js';

/** Concurrent `stat` calls: one after the other they take seven times as long. */
const MAX_STATS_AT_ONCE = 64;

/** Max. age of a cached fingerprint, in milliseconds: a new one takes a `stat` of every file. */
const MAX_FINGERPRINT_MS = 2_000;

/**
 * Cache of archives of copied-in directories: packed on the first download, and again when the directory has changed.
 * Requests for one version are serialized, and share the first one's archive.
 */
export class BuiltArchives {
  private readonly mutex = new KeyedMutex();
  /** `takenAt` is by `performance.now()`. */
  private readonly fingerprints = new WeakMap<
    Version,
    { readonly state: string; readonly takenAt: number }
  >();
  private temporary: string | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly nextName: () => string,
    private readonly archives: Pick<Archives, 'pack'>,
    private readonly fingerprintMs = MAX_FINGERPRINT_MS,
  ) {}

  /** @returns undefined when the directory is gone */
  async open(version: Version, site: string): Promise<StoredFile | undefined> {
    const { directoryName } = version;
    return this.mutex.run(directoryName, async () => {
      const state = await this.stateOf(version, site);
      if (state === undefined) return undefined;
      const directories = await this.directories();
      const home = join(directories.kept, directoryName);
      const archive = join(home, `${state}.zip`);
      const kept = await openEntry(archive, { etag: state });
      if (kept?.kind === 'file') return kept.file;
      const packed = join(directories.packing, `${this.nextName()}.zip`);
      let built: SiteEntry | undefined;
      try {
        await this.archives.pack(site, packed);
        // After a power cut, a name without its bytes would pass for a whole archive.
        await syncFile(this.disk, packed);
        built = await openEntry(packed, { etag: state });
        // Another process may be packing the same archive: each renames a complete file, and reads the one it opened.
        await unless(['EEXIST'], this.disk.mkdir(home));
        await this.disk.rename(packed, archive);
      } catch (error) {
        if (built?.kind === 'file') await built.file.close();
        await this.disk.rm(packed, { force: true });
        throw error;
      }
      await this.removeOthers(home, archive).catch(() => {});
      return built?.kind === 'file' ? built.file : undefined;
    });
  }

  /** Removes the temporary directory. */
  async close(): Promise<void> {
    if (this.temporary !== undefined) await rm(this.temporary, { recursive: true, force: true });
  }

  private async stateOf(version: Version, site: string): Promise<string | undefined> {
    const known = this.fingerprints.get(version);
    if (known !== undefined && performance.now() - known.takenAt < this.fingerprintMs) return known.state;
    const state = await fingerprint(site);
    if (state === undefined) this.fingerprints.delete(version);
    else this.fingerprints.set(version, { state, takenAt: performance.now() });
    return state;
  }

  /**
   * Directories for packing and keeping archives: in `.lectern`, or in the system's temporary directory if that is
   * read-only.
   */
  private async directories(): Promise<{ readonly packing: string; readonly kept: string }> {
    const { built, incoming } = this.layout;
    try {
      await Promise.all([access(built, constants.W_OK), access(incoming, constants.W_OK)]);
      return { packing: incoming, kept: built };
    } catch (error) {
      if (!hasErrno(error, ['ENOENT', 'EACCES', 'EPERM', 'EROFS'])) throw error;
      this.temporary ??= temporaryDirectory(tmpdir());
      return { packing: this.temporary, kept: this.temporary };
    }
  }

  private async removeOthers(home: string, archive: string): Promise<void> {
    for (const name of await readdir(home)) {
      const file = join(home, name);
      if (file !== archive) await this.disk.rm(file, { recursive: true, force: true });
    }
  }
}

/** Hash that changes when any file is added, removed or written; undefined when there is no directory. */
async function fingerprint(directory: string): Promise<string | undefined> {
  const paths = (await filesBelow(directory))?.sort();
  if (paths === undefined) return undefined;
  const hash = createHash('sha256');
  for (let done = 0; done < paths.length; done += MAX_STATS_AT_ONCE) {
    const facts = paths.slice(done, done + MAX_STATS_AT_ONCE).map(async (path) => {
      const stats = await unless(NOTHING_THERE, stat(path, { bigint: true }));
      return `${relative(directory, path)}\0${stats?.size}\0${stats?.mtimeNs}\0${stats?.ctimeNs}\0${stats?.ino}\n`;
    });
    hash.update((await Promise.all(facts)).join(''));
  }
  return hash.digest('hex').slice(0, 40);
}

/**
 * Paths of everything but directories. Directories that are gone, or have a name that is not UTF-8, have none.
 * @returns undefined when there is no directory
 */
async function filesBelow(directory: string): Promise<string[] | undefined> {
  const entries = await unless(NOTHING_THERE, readdir(directory, { withFileTypes: true }));
  if (entries === undefined) return undefined;
  const paths: string[] = [];
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (!entry.isDirectory()) paths.push(path);
    else for (const below of (await filesBelow(path)) ?? []) paths.push(below);
  }
  return paths;
}
