import { type BigIntStats, type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SitePath } from '../../../domain/site-path.js';

/** A regular file of a site, or a link to one within the same site. */
export interface SiteFile {
  /** Its path in the archive. */
  readonly path: string;
  readonly modified: Date;
  /** Its path without any link in it. */
  readonly realPath: string;
  /** With `ino`, what tells it from other files. */
  readonly dev: bigint;
  readonly ino: bigint;
}

/**
 * Lists the files below `siteDirectory`, sorted by path. Links count only if they lead to a served file of the same site.
 * Omits files that are never served: hidden ones, and those with names that no URL leads to.
 */
export function filesOf(siteDirectory: string): SiteFile[] {
  const root = realpathSync(siteDirectory);
  const files: SiteFile[] = [];
  const walk = (directory: string) => {
    for (const item of readdirSync(join(root, directory), { withFileTypes: true })) {
      const path = directory === '' ? item.name : `${directory}/${item.name}`;
      if (!isServed(path)) continue;
      if (item.isDirectory()) walk(path);
      const found = fileAt(root, path, item);
      if (found === undefined) continue;
      const { mtime: modified, dev, ino } = found.stats;
      files.push({ path, modified, realPath: found.realPath, dev, ino });
    }
  };
  walk('');
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a path can be served. Node reads bytes that are not UTF-8 as U+FFFD, and cannot open such a name. */
function isServed(path: string): boolean {
  return !path.includes('\ufffd') && SitePath.of(path)?.isHidden === false;
}

function fileAt(
  root: string,
  path: string,
  item: Dirent,
): { readonly realPath: string; readonly stats: BigIntStats } | undefined {
  const file = join(root, path);
  if (item.isFile()) return { realPath: file, stats: lstatSync(file, { bigint: true }) };
  if (!item.isSymbolicLink()) return undefined;
  try {
    const realPath = realpathSync(file);
    const stats = lstatSync(realPath, { bigint: true });
    return stats.isFile() && isServed(relative(root, realPath)) ? { realPath, stats } : undefined;
  } catch {
    // A dangling or circular link.
    return undefined;
  }
}
