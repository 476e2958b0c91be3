import * as z from 'zod';
import type { Version } from '../../../domain/index.js';
import { publicationFields, versionOf } from '../../../formats/publication-record.js';

const publicationRecord = z.object({ revision: z.string(), ...publicationFields });

/** Record of one publication, as it stands in commits and snapshots. */
export type RevisionRecord = z.infer<typeof publicationRecord>;

const change = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('publish'),
    record: publicationRecord,
    /** Revision of the version that is replaced. */
    replaces: z.string().optional(),
  }),
  z.object({ kind: z.literal('remove'), project: z.string(), version: z.string(), revision: z.string() }),
  /** Announces that the objects of removed revisions are deleted from now on. */
  z.object({ kind: z.literal('purge'), revisions: z.array(z.string()) }),
]);

export type Change = z.infer<typeof change>;

const FORMAT = 1;

const commit = z.object({
  format: z.literal(FORMAT),
  /** Random text, by which a writer knows its own commit. */
  nonce: z.string(),
  /** Time of the writer's clock. */
  at: z.iso.datetime(),
  change,
});

/** One entry of the log. */
export type Commit = z.infer<typeof commit>;

/** A commit or snapshot that this program does not understand: probably, a newer one wrote it. */
export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is not understood: a newer Lectern may have written it; update this node`, options);
  }
}

export function commitOf(nonce: string, at: Date, change: Change): Commit {
  return { format: FORMAT, nonce, at: at.toISOString(), change };
}

/** @throws UnknownFormat */
export function parseCommit(text: string, number: number): Commit {
  return parsed(commit, text, `Commit ${number} of the log`);
}

/** @throws UnknownFormat */
export function parseRecord(text: string): RevisionRecord {
  return parsed(publicationRecord, text, 'A publication in the snapshot');
}

function parsed<T>(schema: z.ZodType<T>, text: string, what: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UnknownFormat(what, { cause });
  }
}

export function versionOfRecord(record: RevisionRecord): Version {
  const { project, version: label, revision } = record;
  return versionOf({ project, label, directoryName: `${project}-${label}` }, revision, record);
}
