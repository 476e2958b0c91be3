import {
  archiveNameOf,
  type Docinfo,
  describeName,
  isStable,
  type Project,
  type Version,
  type VersionId,
  versionKind,
} from '../../../domain/index.js';
import type { Body } from '../../../formats/api/bodies.js';
import type { PublicAddress } from '../public-address.js';

/** A project in the API's format (interface section 2.1). */
export function projectBody(project: Project, at: PublicAddress): Body<'Project'> {
  return {
    name: project.name,
    ...(project.title === project.name ? {} : { title: project.title }),
    directory_name: project.directoryName,
    description: project.description,
    ...labelsOf(project.docinfo),
    versions: project.versions.map((version) => versionBody(version, project, at)),
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

/** The result of deleting a version or preview (interface section 2.6). */
export function deletedBody(id: VersionId, isForGood = false): Body<'DeleteResult'> {
  return {
    success: true,
    message: `${describeName(id)} is deleted${isForGood ? ' for good' : ''}`,
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
