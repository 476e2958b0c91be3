import * as z from 'zod';
import type { PublicationRecord, VersionId } from '../../../domain/index.js';
import { idOf, namesOf, publicationFields, recordIn } from '../../../formats/publication-record.js';

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
