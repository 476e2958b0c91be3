import * as z from 'zod';
import type { Publication } from '../../../application/index.js';
import type { Docinfo, DocinfoReading, Version } from '../../../domain/index.js';

const publicationRecord = z.object({
  project: z.string(),
  version: z.string(),
  revision: z.string(),
  publishedAt: z.iso.datetime(),
  archive: z.object({ size: z.int(), sha256: z.string() }),
  site: z.object({ files: z.int(), bytes: z.int() }),
  /** Name of the token that uploaded it. */
  token: z.string(),
  docinfo: z
    .object({
      name: z.string().optional(),
      description: z.string().optional(),
      logo: z.string().optional(),
      switcher: z.boolean().optional(),
    })
    .optional(),
});

/** Record of one publication, as it stands in commits and snapshots. */
export type PublicationRecord = z.infer<typeof publicationRecord>;

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
export function parseRecord(text: string): PublicationRecord {
  return parsed(publicationRecord, text, 'A publication in the snapshot');
}

function parsed<T>(schema: z.ZodType<T>, text: string, what: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new UnknownFormat(what, { cause });
  }
}

export function recordOf(
  { id, publishedAt, archive, site, token }: Publication,
  revision: string,
  { docinfo }: DocinfoReading,
): PublicationRecord {
  return {
    project: id.project,
    version: id.label,
    revision,
    publishedAt: publishedAt.toISOString(),
    archive: { size: archive.size, sha256: archive.sha256 },
    site: { files: site.files, bytes: site.bytes },
    token,
    ...(docinfo === undefined ? {} : { docinfo }),
  };
}

export function versionOf(record: PublicationRecord): Version {
  const { project, version: label, revision, publishedAt, archive, site, docinfo } = record;
  return {
    project,
    label,
    directoryName: `${project}-${label}`,
    revision,
    publishedAt: new Date(publishedAt),
    origin: 'upload',
    // Fields of zod's type may be undefined, which parsed JSON never has.
    ...(docinfo === undefined ? {} : { docinfo: docinfo as Docinfo }),
    site,
    archive,
  };
}
