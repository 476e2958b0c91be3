import { archiveNameOf, isStable, type Project, type Version } from '../../../domain/index.js';
import type { PublicAddress } from '../public-address.js';
import type { Body } from './schemas.js';

/** A project in the API's format (interface section 2.1). */
export function projectBody(project: Project, at: PublicAddress): Body<'Project'> {
  return {
    name: project.name,
    directory_name: project.directoryName,
    description: project.description,
    versions: project.versions.map((version) => versionBody(version, at)),
    latest_version_dir: project.latest.directoryName,
  };
}

function versionBody(version: Version, at: PublicAddress): Body<'Version'> {
  return {
    version: version.label,
    directory_name: version.directoryName,
    url: at.to(sitePathOf(version.directoryName)),
    download_url: at.to(archivePathOf(version.directoryName)),
    published_at: version.publishedAt.toISOString(),
    stable: isStable(version.label),
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
