import * as z from 'zod';
import {
  CORNERS,
  type Docinfo,
  isPreview,
  previewIdOf,
  type Version,
  type VersionId,
} from '../domain/index.js';

/**
 * Names of a version or preview in records. A preview has `preview` in place of `version`, so that a Lectern that knows
 * no previews refuses the record instead of showing a version.
 */
export const nameFields = {
  project: z.string(),
  version: z.string().exactOptional(),
  preview: z.string().exactOptional(),
};

type Names = z.infer<z.ZodObject<typeof nameFields>>;

/** What every store writes down of a publication: what would take a look at the site or its archive to find out. */
export const publicationFields = {
  ...nameFields,
  /** The end of a preview. */
  expiresAt: z.iso.datetime().exactOptional(),
  publishedAt: z.iso.datetime(),
  /** Whether it was restored after it was removed or replaced. */
  restored: z.literal(true).exactOptional(),
  archive: z.object({ size: z.int(), sha256: z.string() }),
  site: z.object({ files: z.int(), bytes: z.int() }),
  /** Name of the token that uploaded it. */
  token: z.string(),
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
    })
    .optional(),
};

const publicationRecord = z.object(publicationFields);

export type PublicationRecord = z.infer<typeof publicationRecord>;

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

export function recordOf(publication: {
  readonly id: VersionId;
  readonly publishedAt: Date;
  readonly expiresAt?: Date | undefined;
  readonly isRestored?: boolean | undefined;
  readonly archive: PublicationRecord['archive'];
  readonly site: PublicationRecord['site'];
  readonly token: string;
  readonly docinfo?: Docinfo | undefined;
}): PublicationRecord {
  const { id, publishedAt, expiresAt, isRestored, archive, site, token, docinfo } = publication;
  return {
    ...namesOf(id),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
    publishedAt: publishedAt.toISOString(),
    ...(isRestored === true ? { restored: true } : {}),
    archive: { size: archive.size, sha256: archive.sha256 },
    site: { files: site.files, bytes: site.bytes },
    token,
    ...(docinfo === undefined ? {} : { docinfo }),
  };
}

export function versionOf(
  { project, label, directoryName }: VersionId,
  revision: string,
  { publishedAt, expiresAt, restored, docinfo, site, archive }: PublicationRecord,
): Version {
  return {
    project,
    label,
    directoryName,
    revision,
    publishedAt: new Date(publishedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
    ...(restored === undefined ? {} : { isRestored: restored }),
    origin: 'upload',
    docinfo,
    site,
    archive,
  };
}
