import { createHash } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ServeConfig } from '../adapters/cli/index.js';
import { temporaryDirectory } from '../adapters/filesystem/index.js';
import { DATABASE_NAME, loadEngine, MAX_BUILDERS, SqliteSearchIndex } from '../adapters/search/index.js';
import { isRevision, KeepSearchIndex, type SearchIndex } from '../application/index.js';
import type { Catalogue } from '../domain/index.js';
import { makeDirectory } from '../node/directories.js';
import type { OpenStorage, StoragePlace } from './storage.js';

/** A server's search index, and the use case that keeps it. */
export interface Search {
  readonly index: SearchIndex;
  readonly keeper: KeepSearchIndex;
}

/**
 * Opens the search index of a store. Databases are stored beside the publications, and removed with them. If those are not
 * on this disk, or cannot be written, databases are in the cache or the temporary directory.
 * @returns undefined when search is off, when SQLite cannot be loaded, or when there is no place for databases
 */
export async function openSearch(
  { search: scope }: Pick<ServeConfig, 'search'>,
  { name, cacheDirectory: parent }: Pick<StoragePlace, 'name' | 'cacheDirectory'>,
  { docs, local, objects }: Pick<OpenStorage, 'docs' | 'local' | 'objects'>,
  report: (message: string, fields: object) => void,
): Promise<Search | undefined> {
  if (scope === 'off') return undefined;
  if (!(await canLoad(report))) return undefined;
  const isBeside = local?.derivedPath('any', DATABASE_NAME) !== undefined;
  const home = isBeside
    ? parent
    : await homeOf(parent, name, docs.catalogue()).catch(nowhere(parent, report));
  if (home === undefined) return undefined;
  const index = new SqliteSearchIndex({
    fileOf: (revision) => local?.derivedPath(revision, DATABASE_NAME) ?? join(home, revision, DATABASE_NAME),
    isApart: true,
    ...(objects === undefined ? {} : { shared: docs.derived }),
  });
  const isFirst = local === undefined ? {} : { isFirst: () => local.isFirst() };
  const options = { scope, report, maxBuilds: MAX_BUILDERS, ...isFirst };
  return { index, keeper: new KeepSearchIndex(docs, index, options) };
}

/** Tries it once: a machine without a package for its platform would fail at each search and each build. */
async function canLoad(report: (message: string, fields: object) => void): Promise<boolean> {
  try {
    await loadEngine();
    return true;
  } catch (error) {
    // The other lines of Node's message are the files that required it.
    const [reason] = (error as Error).message.split('\n');
    report(`search is off: libsql cannot be loaded: ${reason}; install it, or start with --search off`, {});
    return false;
  }
}

function nowhere(directory: string, report: (message: string, fields: object) => void) {
  return (err: unknown): undefined => {
    report(
      `search is off: its index cannot be kept in ${directory}; set TMPDIR, or start with --search off`,
      { err },
    );
  };
}

/** This user's own directory for the databases of a place, without those of versions that were removed while no server ran. */
async function homeOf(parent: string, place: string, catalogue: Catalogue): Promise<string> {
  const { uid } = userInfo();
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 16);
  const home = join(parent, `lectern-search-${uid}-${hash}`);
  await makeDirectory(home, 0o700);
  const found = await lstat(home);
  // Anybody may write into the temporary directory.
  const isOwn = found.isDirectory() && (uid === -1 || (found.uid === uid && (found.mode & 0o022) === 0));
  if (!isOwn) return temporaryDirectory(parent);
  const known = new Set(Array.from(catalogue.all(), ({ revision }) => revision));
  for (const name of await readdir(home)) {
    if (isRevision(name) && !known.has(name)) await rm(join(home, name), { recursive: true, force: true });
  }
  return home;
}
