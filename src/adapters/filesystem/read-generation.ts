import { readFileSync, statSync } from 'node:fs';
import type { VersionId } from '../../domain/index.js';
import { errnoOf, NOTHING_THERE, RUN_SHORT } from './disk.js';
import { KnownVersion } from './known-version.js';
import type { Layout } from './layout.js';
import type { Shared } from './shared.js';
import { parseRecord, versionOf } from './version-record.js';

/**
 * What is known of a generation. A record that is damaged or cannot be read must not take a site offline that is
 * whole: then its time is all there is.
 * @param target where the version's link leads
 * @returns undefined when that is no generation, or its site is not there
 * @throws when the process has run short of something: that says nothing of the version
 */
export function readGeneration(
  layout: Layout,
  id: VersionId,
  target: string,
  shared: Shared,
): KnownVersion | undefined {
  const name = layout.generationOf(id.directoryName, target);
  if (name === undefined) return undefined;
  const generation = layout.generation(id.directoryName, name);
  try {
    // Sync: a tenth of the cost of a promise for each of many thousand small files at start.
    const record = parseRecord(readFileSync(generation.record, 'utf8'), id);
    if (record !== undefined) return versionOf(id, target, record, shared);
  } catch (error) {
    if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
  }
  const publishedAt = timeOf(generation.site);
  return publishedAt && new KnownVersion(id, target, publishedAt);
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
