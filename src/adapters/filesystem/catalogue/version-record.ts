import * as z from 'zod';
import type { Publication } from '../../../application/index.js';
import type { DocinfoReading, Version, VersionId } from '../../../domain/index.js';

/** `version.json`: the facts of a generation that would take a walk of its site. */
const versionRecord = z.object({
  format: z.literal(1),
  project: z.string(),
  version: z.string(),
  publishedAt: z.iso.datetime(),
  archive: z.object({ size: z.int(), sha256: z.string() }),
  site: z.object({ files: z.int(), bytes: z.int() }),
  token: z.string(),
  docinfo: z
    .object({
      name: z.string().exactOptional(),
      description: z.string().exactOptional(),
      logo: z.string().exactOptional(),
      switcher: z.boolean().exactOptional(),
    })
    .optional(),
});

export type VersionRecord = z.infer<typeof versionRecord>;

export function recordOf(publication: Publication, { docinfo }: DocinfoReading): VersionRecord {
  const { id, publishedAt, archive, site, token } = publication;
  return {
    format: 1,
    project: id.project,
    version: id.label,
    publishedAt: publishedAt.toISOString(),
    archive: { size: archive.size, sha256: archive.sha256 },
    site: { files: site.files, bytes: site.bytes },
    token,
    ...(docinfo === undefined ? {} : { docinfo }),
  };
}

/** The record in a `version.json`, or undefined when it is damaged, or of another format or version. */
export function parseRecord(text: string, id: VersionId): VersionRecord | undefined {
  try {
    const record = versionRecord.safeParse(JSON.parse(text)).data;
    return record?.project === id.project && record.version === id.label ? record : undefined;
  } catch {
    return undefined;
  }
}

/** @param generation its name, which is the revision of the version */
export function versionOf(
  { project, label, directoryName }: VersionId,
  generation: string,
  { publishedAt, docinfo, site, archive }: VersionRecord,
): Version {
  return {
    project,
    label,
    directoryName,
    revision: generation,
    publishedAt: new Date(publishedAt),
    origin: 'upload',
    docinfo,
    site,
    archive,
  };
}
