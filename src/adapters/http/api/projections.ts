import {
  archiveNameOf,
  type Docinfo,
  describeName,
  isStable,
  type Project,
  SitePath,
  type Source,
  sourceLinks,
  type Version,
  type VersionId,
  versionKind,
} from '../../../domain/index.js';
import type { Body } from '../../../formats/api/bodies.js';
import type { PublicAddress } from '../public-address.js';

/**
 * A project in the API's format (interface section 2.1).
 * @param moreOf further fields of a version, where they are not too much for a list
 */
export function projectBody(
  project: Project,
  at: PublicAddress,
  moreOf: (version: Version) => Partial<Body<'Version'>> = () => ({}),
): Body<'Project'> {
  return {
    id: project.directoryName,
    title: project.title,
    name: project.name,
    directory_name: project.directoryName,
    description: project.description,
    ...labelsOf(project.docinfo),
    versions: project.versions.map((version) => ({
      ...versionBody(version, project, at),
      ...moreOf(version),
    })),
    latest_version_dir: project.latest.directoryName,
    ...(project.shadowed.size === 0 ? {} : { shadowed_aliases: [...project.shadowed] }),
  };
}

function labelsOf({ group, tags, owner, repository, contact }: Docinfo) {
  const given = { group, tags, owner, repository, contact };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function versionBody(version: Version, project: Project, at: PublicAddress): Body<'Version'> {
  const aliases = project.aliasesOf(version.label);
  const deprecated = project.deprecation(version);
  return {
    version: version.label,
    directory_name: version.directoryName,
    url: at.to(sitePathOf(version.directoryName)),
    download_url: at.to(archivePathOf(version.directoryName)),
    published_at: version.record.publishedAt.toISOString(),
    stable: isStable(version.label),
    kind: versionKind(version.label),
    ...(aliases.length === 0 ? {} : { aliases: [...aliases] }),
    ...(project.isHidden(version.label) ? { hidden: true } : {}),
    ...(deprecated === undefined ? {} : { deprecated }),
  };
}

/** Downloads of a version in the API's format; nothing where it has none. */
export function downloadsBody(
  { directoryName, record }: Version,
  at: PublicAddress,
): Pick<Body<'Version'>, 'downloads'> {
  const { downloads = [] } = record;
  if (downloads.length === 0) return {};
  const urlOf = (file: string) => at.to(sitePathOf(directoryName) + SitePath.of(file)?.toUrl());
  return { downloads: downloads.map(({ file, label, size }) => ({ file, label, url: urlOf(file), size })) };
}

/** The field `source` of a body; nothing where nothing is known, or shown. */
export function sourceField(source: Source | undefined): { source?: Body<'Source'> } {
  if (source === undefined) return {};
  const { toldBy, repository, commit, ref, run, attempt } = source;
  const links = sourceLinks(source);
  const fields = {
    repository,
    commit,
    ref,
    run,
    run_attempt: attempt,
    repository_url: links.repository,
    commit_url: links.commit,
    run_url: links.run,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { source: { told_by: toldBy, ...Object.fromEntries(known) } };
}

/** The result of deleting a version or preview (interface section 2.6). */
export function deletedBody(id: VersionId, isForGood = false): Body<'DeleteResult'> {
  return {
    success: true,
    message: `Deleted ${describeName(id)}${isForGood ? ' permanently' : ''}`,
    project: id.project,
    version: id.label,
    directory: id.directoryName,
  };
}

/** Path of a version's site, without the base path: `/<version_dir>/`. */
export function sitePathOf(directoryName: string): string {
  return `/${directoryName}/`;
}

/** Path of a version's archive: `/<version_dir>-docs.zip`. */
export function archivePathOf(directoryName: string): string {
  return `/${archiveNameOf(directoryName)}`;
}
