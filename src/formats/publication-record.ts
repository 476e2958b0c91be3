import * as z from 'zod';
import {
  CORNERS,
  isPreview,
  type PublicationRecord,
  previewIdOf,
  SERVICE_ADDRESS,
  type SOURCE_FORMS,
  sourceFact,
  type VersionId,
} from '../domain/index.js';
import { siteWarnings } from './api/publishing.js';

/**
 * Names of a version or preview in records: a preview has `preview` in place of `version`.
 */
export const nameFields = {
  project: z.string(),
  version: z.string().exactOptional(),
  preview: z.string().exactOptional(),
};

type Names = z.infer<z.ZodObject<typeof nameFields>>;

/** A time; `JSON.stringify` writes it as it is read. */
const time = z.iso.datetime().transform((text) => new Date(text));

const fact = (name: keyof typeof SOURCE_FORMS) =>
  z
    .string()
    .refine((text) => sourceFact(name, text) === text)
    .exactOptional();

/** Source of a site. Checked again, since links are made from it. */
const source = z
  .object({
    toldBy: z.enum(['issuer', 'client']),
    repository: fact('repository'),
    commit: fact('commit'),
    ref: fact('ref'),
    run: fact('run'),
    attempt: fact('attempt'),
    service: z
      .object({ name: z.enum(['github', 'gitlab']), address: z.string().regex(SERVICE_ADDRESS) })
      .exactOptional(),
    isPublic: z.literal(true).exactOptional(),
  })
  .optional()
  // An invalid source is no reason to refuse a record: a newer Lectern may know other services.
  .catch(undefined);

/** The names and the `PublicationRecord` of a publication, as every store writes them down. */
export const publicationFields = {
  ...nameFields,
  expiresAt: time.optional(),
  publishedAt: time,
  restored: z.literal(true).optional(),
  archive: z.object({ size: z.int(), sha256: z.string() }),
  site: z.object({ files: z.int(), bytes: z.int() }),
  token: z.string(),
  maker: z.string().optional(),
  docinfo: z
    .object({
      name: z.string().exactOptional(),
      description: z.string().exactOptional(),
      logo: z.string().exactOptional(),
      switcher: z.boolean().exactOptional(),
      switcherCorner: z.enum(CORNERS).exactOptional(),
      search: z.boolean().exactOptional(),
      group: z.string().exactOptional(),
      tags: z.array(z.string()).readonly().exactOptional(),
      owner: z.string().exactOptional(),
      repository: z.string().exactOptional(),
      contact: z.string().exactOptional(),
      source: z.literal('public').exactOptional(),
    })
    .optional(),
  frontPage: z
    .object({
      title: z.string().exactOptional(),
      description: z.string().exactOptional(),
      icon: z.string().exactOptional(),
    })
    .optional(),
  downloads: z
    .array(z.object({ file: z.string(), label: z.string(), size: z.int() }))
    .readonly()
    .optional(),
  base: z.string().optional(),
  missingPageBase: z.string().optional(),
  charsets: z.array(z.string()).readonly().optional(),
  source,
  warnings: siteWarnings
    .readonly()
    .optional()
    // They are no reason to refuse a record: a newer Lectern may know other codes.
    .catch(undefined),
};

export function namesOf(id: VersionId): Names {
  const { project, label } = id;
  return isPreview(id) ? { project, preview: label } : { project, version: label };
}

/** Returns the version or preview that a record names; undefined when it names none, or both. */
export function idOf({ project, version, preview }: Names): VersionId | undefined {
  if (version === undefined) return preview === undefined ? undefined : previewIdOf(project, preview);
  return preview === undefined
    ? { project, label: version, directoryName: `${project}-${version}` }
    : undefined;
}

/** Returns the record among stored fields: all but the names. */
export function recordIn<Stored extends Names & PublicationRecord>(stored: Stored) {
  const { project: _, version: __, preview: ___, ...record } = stored;
  return record;
}
