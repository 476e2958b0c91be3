import * as z from 'zod';
import type { Docinfo, Version, VersionId } from '../domain/index.js';

/** What every store writes down of a publication: what would take a look at the site or its archive to find out. */
export const publicationFields = {
  project: z.string(),
  version: z.string(),
  publishedAt: z.iso.datetime(),
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
    })
    .optional(),
};

const publicationRecord = z.object(publicationFields);

export type PublicationRecord = z.infer<typeof publicationRecord>;

export function recordOf(publication: {
  readonly id: VersionId;
  readonly publishedAt: Date;
  readonly archive: PublicationRecord['archive'];
  readonly site: PublicationRecord['site'];
  readonly token: string;
  readonly docinfo?: Docinfo | undefined;
}): PublicationRecord {
  const { id, publishedAt, archive, site, token, docinfo } = publication;
  return {
    project: id.project,
    version: id.label,
    publishedAt: publishedAt.toISOString(),
    archive: { size: archive.size, sha256: archive.sha256 },
    site: { files: site.files, bytes: site.bytes },
    token,
    ...(docinfo === undefined ? {} : { docinfo }),
  };
}

export function versionOf(
  { project, label, directoryName }: VersionId,
  revision: string,
  { publishedAt, docinfo, site, archive }: PublicationRecord,
): Version {
  return {
    project,
    label,
    directoryName,
    revision,
    publishedAt: new Date(publishedAt),
    origin: 'upload',
    docinfo,
    site,
    archive,
  };
}
