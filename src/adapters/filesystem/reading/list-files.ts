import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileList } from '../../../application/index.js';
import { SitePath } from '../../../domain/index.js';
import { unless } from '../../../node/system-errors.js';
import { NOTHING_THERE } from '../disk.js';

/** Max. directory entries read for one list of fewer files, however large the site is. */
export const MAX_LOOKED_AT = 20_000;
/** Entries read from a directory at a time. */
const BATCH = 500;

interface Entry {
  readonly path: string;
  /** Sort key in its directory, in the order of whole paths. */
  readonly key: string;
  readonly isDirectory: boolean;
}

/**
 * Lists the first files of a site in path order: reads and sorts one directory after the other, until there are `max`.
 * Omits hidden names, links, and paths that cannot be served. In a directory with more entries than `maxLookedAt`, the
 * file system decides which of them are listed.
 * @returns undefined when there is no such directory
 */
export async function listFiles(
  site: string,
  max: number,
  maxLookedAt = Math.max(MAX_LOOKED_AT, max),
): Promise<FileList | undefined> {
  return new Walk(site, max, maxLookedAt).run();
}

/** Returns the sizes of files in bytes; 0 for one that has just gone. */
export function sizesOf(site: string, paths: readonly string[]): Promise<readonly number[]> {
  const sizeOf = async (path: string) => (await unless(NOTHING_THERE, lstat(join(site, path))))?.size ?? 0;
  return Promise.all(paths.map(sizeOf));
}

class Walk {
  private readonly paths: string[] = [];
  private lookedAt = 0;
  /** Whether a directory was not read to its end. */
  private isCut = false;
  private more = false;

  constructor(
    private readonly site: string,
    private readonly max: number,
    private readonly maxLookedAt: number,
  ) {}

  async run(): Promise<FileList | undefined> {
    const entries = await this.read('');
    if (entries === undefined) return undefined;
    await this.take(entries);
    return { paths: this.paths, more: this.more };
  }

  private async take(entries: readonly Entry[]): Promise<void> {
    for (const { path, isDirectory } of entries) {
      if (isDirectory) {
        // Later files would not be the first in path order.
        if (this.isCut) this.more = true;
        // A directory that has just gone has no files.
        else await this.take((await this.read(path)) ?? []);
      } else if (this.paths.length === this.max) this.more = true;
      else this.paths.push(path);
      if (this.more) return;
    }
    // Nothing is listed after an incomplete directory.
    this.more ||= this.isCut;
  }

  /** The servable entries of a directory; undefined when it does not exist. */
  private async read(directory: string): Promise<readonly Entry[] | undefined> {
    const names = await unless(NOTHING_THERE, opendir(join(this.site, directory), { bufferSize: BATCH }));
    if (names === undefined) return undefined;
    const entries: Entry[] = [];
    // Closes the directory at its end, and when it is left early.
    for await (const entry of names) {
      const { name } = entry;
      if (this.lookedAt === this.maxLookedAt) {
        this.isCut = true;
        break;
      }
      this.lookedAt += 1;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const path = directory === '' ? name : `${directory}/${name}`;
      if (SitePath.of(path)?.isHidden !== false) continue;
      entries.push({ path, key: isDirectory ? `${name}/` : name, isDirectory });
    }
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
