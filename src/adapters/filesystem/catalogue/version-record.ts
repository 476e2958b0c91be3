import * as z from 'zod';
import type { VersionId } from '../../../domain/index.js';
import { idOf, publicationFields } from '../../../formats/publication-record.js';

/** `version.json`: the record of a generation. */
const versionRecord = z.object({ format: z.literal(1), ...publicationFields });

export type VersionRecord = z.infer<typeof versionRecord>;

/** The record in a `version.json`, or undefined when it is damaged, or of another format or version. */
export function parseRecord(text: string, id: VersionId): VersionRecord | undefined {
  try {
    const record = versionRecord.safeParse(JSON.parse(text)).data;
    const named = record && idOf(record);
    return named?.project === id.project && named.directoryName === id.directoryName ? record : undefined;
  } catch {
    return undefined;
  }
}
