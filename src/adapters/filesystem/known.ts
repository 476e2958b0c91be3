import { readFileSync, statSync } from 'node:fs';
import { parseDirectoryName, type Version } from '../../domain/index.js';
import { errnoOf, NOTHING_THERE, RUN_SHORT } from './disk.js';
import type { Generation } from './layout.js';
import { parseRecord, versionOf } from './version-record.js';

/** Where a version's files are. */
export interface Place {
  readonly site: string;
  /** Undefined for a version put there by hand. */
  readonly generation?: Generation;
}

export interface Known {
  readonly version: Version;
  readonly place: Place;
}

/**
 * What is known of a generation. A record that is damaged or cannot be read must not take a site offline that is
 * whole: then its time is all there is.
 * @returns undefined when its site is not there
 * @throws when the process has run short of something: that says nothing of the version
 */
export function readGeneration(directoryName: string, generation: Generation): Known | undefined {
  const id = parseDirectoryName(directoryName);
  if (id === undefined) return undefined;
  const place: Place = { site: generation.site, generation };
  try {
    // Sync: a tenth of the cost of a promise for each of many thousand small files at start.
    const record = parseRecord(readFileSync(generation.record, 'utf8'), id);
    if (record !== undefined) return { version: versionOf(id, record), place };
  } catch (error) {
    if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
  }
  const publishedAt = timeOf(generation.site);
  return publishedAt && { version: { ...id, publishedAt, origin: 'upload' }, place };
}

/** A record that could not be read may be there again. */
export function isWhole({ version }: Known): boolean {
  return version.origin === 'by-hand' || version.archive !== undefined;
}

function timeOf(site: string): Date | undefined {
  try {
    const stats = statSync(site);
    return stats.isDirectory() ? stats.mtime : undefined;
  } catch (error) {
    // Out of reach is not gone: who asks for it is told so.
    return NOTHING_THERE.includes(errnoOf(error) ?? '') ? undefined : new Date(0);
  }
}

export function sameVersions(a: ReadonlyMap<string, Known>, b: ReadonlyMap<string, Known>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, { version }] of a) if (b.get(name)?.version !== version) return false;
  return true;
}

/** Whether two looks at a directory put there by hand found the same. */
export function sameFacts(a: Version, b: Version): boolean {
  return (
    a.publishedAt.getTime() === b.publishedAt.getTime() &&
    JSON.stringify(a.docinfo) === JSON.stringify(b.docinfo)
  );
}
