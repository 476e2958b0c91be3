import { readFileSync, statSync } from 'node:fs';
import type { Version, VersionId } from '../../../domain/index.js';
import { errnoOf, NOTHING_THERE, RUN_SHORT } from '../disk.js';
import type { Layout } from '../layout.js';
import { parseRecord, versionOf } from './version-record.js';

/** Ends the revision of a version whose record cannot be read: it is another one once the record can be. */
const WITHOUT_RECORD = '.unrecorded';

/**
 * The version that a generation holds. A record that is damaged or cannot be read must not take a site offline that is
 * whole: then its time is all there is.
 * @param name the generation's
 * @returns undefined when that is no generation, or its site is not there
 * @throws when the process has run short of something: that says nothing of the version
 */
export function readGeneration(layout: Layout, id: VersionId, name: string): Version | undefined {
  const generation = layout.generation(id.directoryName, name);
  try {
    // Sync: a tenth of the cost of a promise for each of many thousand small files at start.
    const record = parseRecord(readFileSync(generation.record, 'utf8'), id);
    if (record !== undefined) return versionOf(id, name, record);
  } catch (error) {
    if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
  }
  const publishedAt = timeOf(generation.site);
  return publishedAt && { ...id, revision: name + WITHOUT_RECORD, publishedAt, origin: 'upload' };
}

/** Whether all is known of a version that its record says; a copied-in one has none, and never is. */
export function isRecordRead({ origin, archive }: Version): boolean {
  return origin === 'upload' && archive !== undefined;
}

/** The name of the generation that an uploaded version's revision stands for. */
export function generationNameOf({ revision }: Pick<Version, 'revision'>): string {
  return revision.endsWith(WITHOUT_RECORD) ? revision.slice(0, -WITHOUT_RECORD.length) : revision;
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
