import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { type PublicationRecord, type Version, type VersionId, versionOf } from '../../../domain/index.js';
import { idOf, namesOf, publicationFields, recordIn } from '../../../formats/publication-record.js';
import { hasErrno } from '../../../node/system-errors.js';
import { NOTHING_THERE, RUN_SHORT } from '../disk.js';
import { type Layout, WITHOUT_RECORD } from '../layout.js';

/**
 * Reads the version of a generation. A damaged or unreadable record does not take its site offline: the version then
 * has only the site's modification time.
 * @param name the generation's
 * @returns undefined when the site is missing
 * @throws when the process is out of descriptors or memory (`RUN_SHORT`)
 */
export function readGeneration(layout: Layout, id: VersionId, name: string): Version | undefined {
  const generation = layout.generation(id.directoryName, name);
  try {
    // Sync: a tenth of the cost of a promise for each of many thousand small files at start.
    const record = parseRecord(readFileSync(generation.record, 'utf8'), id);
    if (record !== undefined) return versionOf(id, name, record);
  } catch (error) {
    if (hasErrno(error, RUN_SHORT)) throw error;
  }
  const publishedAt = timeOf(generation.site);
  return publishedAt && versionOf(id, name + WITHOUT_RECORD, { publishedAt });
}

/** Whether a version's record was read; never for a copied-in directory, which has none. */
export function isRecordRead({ origin, record }: Version): boolean {
  return origin === 'upload' && record.archive !== undefined;
}

function timeOf(site: string): Date | undefined {
  try {
    const stats = statSync(site);
    return stats.isDirectory() ? stats.mtime : undefined;
  } catch (error) {
    // Unreadable is not missing: requests for it get the error.
    return hasErrno(error, NOTHING_THERE) ? undefined : new Date(0);
  }
}

/** `version.json`: the record of a generation. */
const versionRecord = z.object({ format: z.literal(1), ...publicationFields });

/** The text of a `version.json`. */
export function textOf(id: VersionId, record: PublicationRecord): string {
  return `${JSON.stringify({ format: 1, ...namesOf(id), ...record }, null, 2)}\n`;
}

/** The record in a `version.json`, or undefined when it is damaged, or of another format or version. */
export function parseRecord(text: string, id: VersionId): PublicationRecord | undefined {
  try {
    const { format: _, ...stored } = versionRecord.parse(JSON.parse(text));
    const named = idOf(stored);
    const isOfId = named?.project === id.project && named.directoryName === id.directoryName;
    return isOfId ? recordIn(stored) : undefined;
  } catch {
    return undefined;
  }
}
