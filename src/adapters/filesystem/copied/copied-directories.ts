import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { SiteEntry } from '../../../application/index.js';
import { type KnownRecord, SitePath, type Version, type VersionId } from '../../../domain/index.js';
import { unless } from '../../../node/system-errors.js';
import { NOTHING_THERE } from '../disk.js';
import { openEntry, withCharset } from '../reading/stored-file.js';

/** Reads the version of a copied-in directory; undefined when it is no directory any more. */
export async function readCopied(
  id: VersionId,
  directory: string,
  factsIn: (directory: string) => Promise<Pick<KnownRecord, 'docinfo' | 'downloads'>>,
): Promise<Version | undefined> {
  const stats = await unless(NOTHING_THERE, stat(directory, { bigint: true }));
  if (stats?.isDirectory() !== true) return undefined;
  const { docinfo, downloads } = await factsIn(directory);
  const found = downloads === undefined ? [docinfo] : [docinfo, downloads];
  const state = JSON.stringify([id.directoryName, String(stats.ino), String(stats.mtimeNs), ...found]);
  const revision = `copied-${createHash('sha256').update(state).digest('hex').slice(0, 32)}`;
  return {
    ...id,
    revision,
    origin: 'copied',
    record: { publishedAt: stats.mtime, docinfo, ...(downloads && { downloads }) },
  };
}

/** Opens a path of a copied-in site. Links that lead out of the site, or to hidden files, count as missing. */
export async function openCopied(directory: string, path: SitePath): Promise<SiteEntry | undefined> {
  const target = await servedPath(directory, path);
  const entry = target === undefined ? undefined : await openEntry(target);
  return entry && withCharset(entry, path.toString());
}

/** Bytes of a file of a copied-in site, likewise; undefined when it is missing, or no regular file. */
export async function copiedSizeOf(directory: string, path: SitePath): Promise<number | undefined> {
  const target = await servedPath(directory, path);
  const stats = target === undefined ? undefined : await unless(NOTHING_THERE, stat(target));
  return stats?.isFile() ? stats.size : undefined;
}

/** The place to which a path of a copied-in site leads, links followed; undefined when nothing is served there. */
async function servedPath(directory: string, path: SitePath): Promise<string | undefined> {
  const [root, target] = await Promise.all([
    unless(NOTHING_THERE, realpath(directory)),
    unless(NOTHING_THERE, realpath(join(directory, ...path.components))),
  ]);
  if (root === undefined || target === undefined) return undefined;
  const isServed = target === root || SitePath.of(relative(root, target))?.isHidden === false;
  return isServed ? target : undefined;
}
