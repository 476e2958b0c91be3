import * as z from 'zod';
import {
  parseSettings,
  type SettingsBody,
  type Version,
  type VersionId,
  versionOf,
} from '../../../domain/index.js';
import { storedToken } from '../../../formats/api/tokens.js';
import { idOf, nameFields, publicationFields, recordIn } from '../../../formats/publication-record.js';

type Names = Parameters<typeof idOf>[0];

const named = (names: Names) => idOf(names) !== undefined;
const publicationRecord = z.object({ revision: z.string(), ...publicationFields }).refine(named);

/** Record of one publication, as it stands in commits and snapshots. */
export type RevisionRecord = z.infer<typeof publicationRecord>;

const settingsFields = { project: z.string(), settings: z.custom<SettingsBody>() };

/** @throws SettingsError for settings that this program does not understand */
function isUnderstood({ project, settings }: z.infer<z.ZodObject<typeof settingsFields>>): boolean {
  parseSettings(project, settings);
  return true;
}

/** The settings of a project, as they stand in commits and snapshots. */
export const settingsRecord = z.object(settingsFields).refine(isUnderstood);

const change = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('publish'),
    record: publicationRecord,
    /** Revision of the version that is replaced. */
    replaces: z.string().optional(),
    /** Revision of the removed publication that this one restores. */
    restores: z.string().optional(),
  }),
  z.object({ kind: z.literal('remove'), ...nameFields, revision: z.string() }).refine(named),
  /** Announces that the objects of removed revisions are deleted from now on. */
  z.object({ kind: z.literal('purge'), revisions: z.array(z.string()) }),
  z.object({ kind: z.literal('settings'), ...settingsFields }).refine(isUnderstood),
  /** From now on projects may be private, or none is any more. */
  z.object({ kind: z.literal('privacy'), isOn: z.boolean() }),
  /** Tokens that others have made: new and changed ones, and those that were revoked, by maker and name. */
  z.object({
    kind: z.literal('tokens'),
    set: z.array(storedToken),
    revoked: z.array(storedToken.pick({ maker: true, name: true })),
  }),
]);

export type Change = z.infer<typeof change>;

const FORMAT = 1;

const commit = z.object({
  format: z.literal(FORMAT),
  /** Random text, by which a writer knows its own commit. */
  nonce: z.string(),
  /** Nonce of the commit before it; empty for the first one. */
  previous: z.string(),
  /** Time of the writer's clock; of the store, where that clock is wrong. */
  at: z.iso.datetime(),
  change,
});

/** Entry of the log. */
export type Commit = z.infer<typeof commit>;

/** A commit or snapshot that this program does not understand: probably, a newer one wrote it. */
export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat';

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} cannot be read: a newer Lectern may have written it; update this node`, options);
  }
}

/** @param previous nonce of the commit before it; empty for the first one */
export function commitOf(nonce: string, at: Date, change: Change, previous: string): Commit {
  return { format: FORMAT, nonce, previous, at: at.toISOString(), change };
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

/** The version or preview that a parsed record or commit names. */
export function recordedId(names: Names): VersionId {
  const id = idOf(names);
  if (id === undefined) throw new UnknownFormat('A name in the log');
  return id;
}

export function versionOfRecord({ revision, ...stored }: RevisionRecord): Version {
  return versionOf(recordedId(stored), revision, recordIn(stored));
}
