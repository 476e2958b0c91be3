import { archiveNameOf, isStable, type Project, type Version } from '../../domain/index.js';
import type { Body } from './schemas.js';

/** A project as the API shows it (interface section 2.1). */
export function projectBody(project: Project): Body<'Project'> {
  return {
    name: project.name,
    directory_name: project.directoryName,
    description: project.description,
    versions: project.versions.map(versionBody),
    latest_version_dir: project.latest.directoryName,
  };
}

function versionBody(version: Version): Body<'Version'> {
  return {
    version: version.label,
    directory_name: version.directoryName,
    url: sitePathOf(version.directoryName),
    download_url: `/${archiveNameOf(version.directoryName)}`,
    published_at: version.publishedAt.toISOString(),
    stable: isStable(version.label),
  };
}

/** Where a version's site is: `/<version_dir>/`. */
export function sitePathOf(directoryName: string): string {
  return `/${directoryName}/`;
}
