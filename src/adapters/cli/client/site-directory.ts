import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { quote, SitePath } from '../../../domain/index.js';
import { ClientError } from './client-error.js';

/** Names that version control and file managers add, which are left out. Other dot-files are packed. */
const IGNORED_NAMES = new Set(['.git', '.hg', '.svn', '.bzr', '.jj', '.DS_Store', 'Thumbs.db', '__MACOSX']);

export interface SiteFile {
  /** Path in the archive. */
  readonly path: string;
  /** Bytes, as reported before the file is read. */
  readonly size: number;
  readonly modified: Date;
}

export interface SiteDirectory {
  readonly files: readonly SiteFile[];
  /** Sentences about entries that were left out. */
  readonly leftOut: readonly string[];
}

/**
 * Lists the files of a directory recursively, sorted by path. A symbolic link counts if it leads to a file of the same
 * site.
 * @throws ClientError for a path that no server accepts
 */
export async function readSiteDirectory(directory: string): Promise<SiteDirectory> {
  const root = await realpath(directory);
  const files: SiteFile[] = [];
  const leftOut: string[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (IGNORED_NAMES.has(entry.name)) continue;
      const problem = path.includes('\ufffd') ? 'has a name that is not UTF-8' : SitePath.problemOf(path);
      if (problem !== undefined) throw new ClientError('usage', `${quote(path)} ${problem}`);
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) files.push(await fileAt(root, path));
      else if (!entry.isSymbolicLink()) leftOut.push(`${quote(path)} is neither a file nor a directory`);
      else if (await leadsToFileOf(root, path)) files.push(await fileAt(root, path));
      else leftOut.push(`${quote(path)} is a link to something that is no file of this site`);
    }
  };
  await walk('');
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut };
}

async function fileAt(root: string, path: string): Promise<SiteFile> {
  const { size, mtime } = await stat(join(root, path));
  return { path, size, modified: mtime };
}

async function leadsToFileOf(root: string, path: string): Promise<boolean> {
  try {
    const target = await realpath(join(root, path));
    return target.startsWith(root + sep) && (await stat(target)).isFile();
  } catch {
    // A dangling or circular link.
    return false;
  }
}
