import { createHash, randomUUID } from 'node:crypto';
import { type BigIntStats, closeSync, fstatSync, openSync } from 'node:fs';
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LruCache, type Version } from '../../../domain/index.js';
import { receiveArchiveAt } from '../../../node/receive-archive.js';
import type { ObjectClient } from '../client/object-client.js';
import { keys } from '../keys.js';
import { archivesIn, incomingIn, isOwn, openCacheDirectory } from './cache-directory.js';

/** Reads of an archive within this time make it worth fetching, in milliseconds. */
const COUNTED_MS = 60_000;
const MIN_READS = 3;
/** Pause after a failed fetch, in milliseconds: a full disk does not get emptier by trying. */
const PAUSE_MS = 60_000;
/** Max. archives whose reads are counted. */
const MAX_COUNTED = 10_000;

/** The version that an archive belongs to, as far as its bytes are concerned. */
type ArchiveId = Pick<Version, 'revision' | 'record'>;

interface CachedArchive {
  readonly bytes: number;
  /** The file's stamp when its hash was checked; undefined before. */
  checked?: string;
}

interface ArchiveCacheOptions {
  /** Directory of the cache. Any of its files may be removed at any time. */
  readonly directory: string;
  /** Max. bytes of all archives. */
  readonly maxBytes: number;
  readonly report: (message: string, fields: object) => void;
}

/**
 * Archives on the local disk, fetched whole once they are read often; least recently used ones go first. Each is checked
 * against its SHA-256 on arrival, at the first use by a process, and when its file has changed.
 */
export class ArchiveCache {
  private readonly archives: LruCache<CachedArchive>;
  /** `since` is on the clock of `performance.now()`. */
  private readonly reads = new LruCache<{ count: number; readonly since: number }>(MAX_COUNTED);
  /** Revisions of the archives that are fetched or checked, or wait for it: one at a time. */
  private readonly working = new Set<string>();
  private tail: Promise<unknown> = Promise.resolve();
  private pausedUntil = 0;
  private hits = 0;
  private misses = 0;
  private readonly closing = new AbortController();
  private isWanted: (revision: string) => boolean = () => true;

  private constructor(
    private readonly client: ObjectClient,
    private readonly options: ArchiveCacheOptions,
  ) {
    this.archives = new LruCache<CachedArchive>(
      options.maxBytes,
      ({ bytes }) => bytes,
      (_, revision) => void rm(this.fileOf(revision), { force: true }).catch(() => {}),
    );
  }

  /**
   * Opens the cache with what an earlier process has left in the directory.
   * @throws Error when other users could write into the directory; an error of the disk
   */
  static async open(client: ObjectClient, options: ArchiveCacheOptions): Promise<ArchiveCache> {
    const cache = new ArchiveCache(client, options);
    const home = archivesIn(options.directory);
    await openCacheDirectory(options.directory);
    const found = [];
    for (const name of await readdir(home)) {
      const stats = await lstat(join(home, name)).catch(() => undefined);
      // Files of other users are ignored: their owners could write into them at any time.
      if (stats?.isFile() && isOwn(stats)) found.push({ revision: name.replace(/\.zip$/, ''), stats });
    }
    found.sort((a, b) => a.stats.atimeMs - b.stats.atimeMs);
    for (const { revision, stats } of found) {
      if (cache.takes(stats.size)) cache.archives.set(revision, { bytes: stats.size });
      // Nobody would ever remove it: the cache was larger when it came.
      else await rm(cache.fileOf(revision), { force: true }).catch(() => {});
    }
    return cache;
  }

  /** Directory for files that are not complete yet, on the same file system. */
  get incoming(): string {
    return incomingIn(this.options.directory);
  }

  get status() {
    return { bytes: this.archives.totalWeight, hits: this.hits, misses: this.misses };
  }

  /**
   * Opens an archive if it is cached and checked. Counts the read, and may start to fetch or check the archive in the
   * background. Sync: opening a local file takes less than handing it to another thread.
   * @returns a file descriptor, which the caller closes
   */
  open(id: ArchiveId): number | undefined {
    const descriptor = this.openChecked(id);
    if (descriptor === undefined) this.misses += 1;
    else this.hits += 1;
    return descriptor;
  }

  private openChecked(id: ArchiveId): number | undefined {
    const { revision } = id;
    const cached = this.archives.get(revision);
    if (cached === undefined) {
      const isFetched = this.countRead(revision) >= MIN_READS && Date.now() >= this.pausedUntil;
      if (isFetched && this.hasRoom(id)) this.once(id, () => this.download(id));
      return undefined;
    }
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.fileOf(revision), 'r');
      if (cached.checked === stampOf(fstatSync(descriptor, { bigint: true }))) return descriptor;
      this.once(id, () => this.check(id, cached));
    } catch {
      this.archives.delete(revision);
    }
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }

  /** Counts a read. @returns the reads since the first one, which is at most `COUNTED_MS` ago */
  private countRead(revision: string): number {
    const now = performance.now();
    const counted = this.reads.get(revision);
    const isCounted = counted !== undefined && now - counted.since <= COUNTED_MS;
    const read = isCounted ? counted : this.reads.set(revision, { count: 0, since: now });
    read.count += 1;
    return read.count;
  }

  /** Returns the path of an archive that is cached, after checking it. The cache may remove the file at any time. */
  async pathOf(id: ArchiveId): Promise<string | undefined> {
    const cached = this.archives.get(id.revision);
    if (cached === undefined) return undefined;
    await this.check(id, cached);
    return this.archives.get(id.revision) ? this.fileOf(id.revision) : undefined;
  }

  /**
   * Fetches an archive into a temporary file, or the cache if it fits. The caller disposes of it.
   * @returns undefined when there is no such archive
   * @throws StoreError; an error of the disk
   */
  async copyOf(id: ArchiveId): Promise<{ readonly path: string; dispose(): Promise<void> } | undefined> {
    const path = await this.copy(id);
    if (path === undefined) return undefined;
    const dispose = async () => {
      await this.adopt(id, path).catch(() => {});
      // It is still there if it was too large.
      await rm(path, { force: true });
    };
    return { path, dispose };
  }

  /**
   * Takes over the local file of an archive whose hash is known to be right. Leaves it alone if it is too large or not
   * wanted.
   */
  async adopt(id: ArchiveId, file: string): Promise<void> {
    if (!this.hasRoom(id) || !this.isWanted(id.revision)) return;
    const cached = this.fileOf(id.revision);
    await rename(file, cached);
    // Not before: renaming is a change of the file.
    const stats = await stat(cached, { bigint: true });
    this.archives.set(id.revision, { bytes: Number(stats.size), checked: stampOf(stats) });
    // It may have been purged while it was renamed.
    if (!this.isWanted(id.revision)) this.drop(id.revision);
  }

  /** From now on caches only archives that are wanted, and drops the others. */
  restrictTo(isWanted: (revision: string) => boolean): void {
    this.isWanted = isWanted;
    for (const revision of this.archives.keys()) if (!isWanted(revision)) this.drop(revision);
  }

  /** Forgets an archive whose bytes turned out to be wrong, or that is no longer needed. */
  drop(revision: string): void {
    this.archives.delete(revision);
  }

  /** Ends fetching. Safe to call twice. */
  async close(): Promise<void> {
    this.closing.abort(new Error('the cache is closed'));
    await this.tail;
  }

  private fileOf(revision: string): string {
    return join(archivesIn(this.options.directory), `${revision}.zip`);
  }

  private hasRoom({ record: { archive } }: ArchiveId): boolean {
    return archive !== undefined && this.takes(archive.size);
  }

  /** Whether an archive is small enough: larger ones would push out everything else. */
  private takes(bytes: number): boolean {
    return bytes <= this.options.maxBytes / 2;
  }

  /** Runs work on an archive after that on others, unless some is under way. The work must not throw. */
  private once({ revision }: ArchiveId, work: () => Promise<void>): void {
    if (this.working.has(revision)) return;
    this.working.add(revision);
    this.tail = this.tail.then(work).finally(() => this.working.delete(revision));
  }

  private async download(id: ArchiveId): Promise<void> {
    let copy: string | undefined;
    try {
      copy = await this.copy(id);
      if (copy !== undefined) await this.adopt(id, copy);
    } catch (error) {
      if (this.closing.signal.aborted) return;
      this.pausedUntil = Date.now() + PAUSE_MS;
      this.options.report('could not fetch an archive into the cache; reading its pages from the store', {
        revision: id.revision,
        err: error,
      });
    } finally {
      // It is still there if it was not adopted.
      if (copy !== undefined) await rm(copy, { force: true }).catch(() => {});
    }
  }

  /**
   * Downloads an archive into a temporary file, and checks its SHA-256.
   * @returns undefined when there is no such archive
   */
  private async copy({ revision, record: { archive } }: ArchiveId): Promise<string | undefined> {
    const object = await this.client.get(keys.archive(revision), undefined, this.closing.signal);
    if (object === undefined) return undefined;
    const file = join(this.incoming, `${revision}.${randomUUID()}`);
    try {
      const { sha256 } = await receiveArchiveAt(file, object.body);
      if (sha256 !== archive?.sha256) throw new Error('the archive does not match its SHA-256');
      return file;
    } catch (error) {
      await rm(file, { force: true }).catch(() => {});
      throw error;
    }
  }

  private async check({ revision, record: { archive } }: ArchiveId, cached: CachedArchive): Promise<void> {
    try {
      const handle = await open(this.fileOf(revision));
      try {
        const checked = stampOf(await handle.stat({ bigint: true }));
        const hash = createHash('sha256');
        const content = handle.createReadStream({ autoClose: false, signal: this.closing.signal });
        await pipeline(content, hash);
        if (hash.digest('hex') === archive?.sha256) {
          cached.checked = checked;
          return;
        }
      } finally {
        await handle.close();
      }
      this.options.report('a cached archive is damaged; it will be fetched again', { revision });
    } catch (error) {
      if (this.closing.signal.aborted) return;
      this.options.report('could not read a cached archive', { revision, err: error });
    }
    this.drop(revision);
  }
}

/** Differs once a file was exchanged or written. Whoever writes it can set its mtime back, but not its ctime. */
function stampOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
