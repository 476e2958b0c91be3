import {
  dayOf,
  isListed,
  isPreview,
  isSearched,
  LATEST,
  type Located,
  type Project,
  projectTitle,
  releaseStatusOf,
  type Version,
  versionKind,
} from '../../../domain/index.js';
import { archivePathOf, sitePathOf } from '../api/projections.js';
import type { PublicAddress } from '../public-address.js';

/** Formats of `versions.json`; docs/switcher.md says which theme reads which. */
export const LIST_FORMATS = ['mike', 'pydata', 'readthedocs'] as const;
type ListFormat = (typeof LIST_FORMATS)[number];

/**
 * The versions of a project, newest first, in the format of a theme's own selector.
 * @param current the requesting version, for the one format that names it
 */
export function versionList(
  format: ListFormat,
  project: Project,
  at: PublicAddress,
  current = project.latest,
): unknown {
  const newestFirst = project.listed.toReversed();
  switch (format) {
    case 'mike':
      return newestFirst.map((version) => mikeEntry(project, version));
    case 'pydata':
      return newestFirst.map((version) => pydataEntry(project, version, at));
    case 'readthedocs':
      return readTheDocs(project, newestFirst, at, current);
  }
}

/** Material for MkDocs uses `version` as the last directory of a site's address, and of the next one's. */
function mikeEntry(project: Project, version: Version) {
  const others = project.aliasesOf(version.label).filter((alias) => alias !== LATEST);
  const names = project.isLatest(version) ? [LATEST, ...others] : others;
  const aliases = names.flatMap((alias) => [`${project.directoryName}-${alias}`, alias]);
  return { version: version.directoryName, title: version.label, aliases };
}

/** PyData compares `version` with `version_match`, and appends the page's path to `url`. */
function pydataEntry(project: Project, version: Version, at: PublicAddress) {
  const { label } = version;
  return {
    name: project.isLatest(version) ? `${label} (latest)` : label,
    version: label,
    url: at.to(goTo(version)),
    ...(project.isLatest(version) ? { preferred: true } : {}),
  };
}

/** The part of the Read the Docs addons data (API version 1) that themes build a selector from. */
function readTheDocs(project: Project, newestFirst: readonly Version[], at: PublicAddress, reading: Version) {
  const page = at.to(`/-/projects/${project.directoryName}`);
  return {
    api_version: '1',
    projects: {
      current: {
        slug: project.directoryName,
        name: project.name,
        language: { code: 'en', name: 'English' },
        default_version: project.latest.label,
        single_version: false,
        versioning_scheme: 'multiple_versions_without_translations',
        urls: {
          documentation: at.to(sitePathOf(`${project.directoryName}-latest`)),
          home: page,
          builds: page,
          downloads: page,
          versions: page,
        },
      },
      translations: [],
    },
    versions: {
      current: readTheDocsVersion(project, reading, at),
      active: newestFirst.map((version) => readTheDocsVersion(project, version, at)),
    },
    addons: {
      flyout: { enabled: true },
      search: { enabled: false },
    },
  };
}

function readTheDocsVersion(project: Project, version: Version, at: PublicAddress) {
  return {
    slug: version.label,
    verbose_name: version.label,
    identifier: version.label,
    aliases: project.isLatest(version) ? ['latest'] : [],
    type: 'tag',
    active: true,
    built: true,
    hidden: false,
    downloads: { htmlzip: at.to(archivePathOf(version.directoryName)) },
    urls: { documentation: at.to(goTo(version)) },
  };
}

/**
 * Data of `/-/switcher.js`. `current` is the requested version or preview; a version, if it was the alias.
 * @param isSearching whether the server searches pages
 */
export function switcherBody({ project, version }: Located, isSearching: boolean) {
  return {
    project: version.project,
    name: projectTitle({ project, version }),
    current: version.directoryName,
    ...(isPreview(version)
      ? { preview: { name: version.label, expires_at: version.record.expiresAt?.toISOString() } }
      : {}),
    /** Whether the pages of this version can be searched for. */
    search: isSearching && isSearched({ project, version }),
    ...(project === undefined ? { versions: [], aliases: [] } : versionFacts(project, version)),
  };
}

function versionFacts(project: Project, current: Version) {
  const { latest, directoryName } = project;
  const countingAliases = project.aliases.filter(({ isShadowed }) => !isShadowed);
  return {
    corner: project.switcherCorner,
    latest: {
      directory: latest.directoryName,
      version: latest.label,
      kind: versionKind(latest.label),
      alias: `${directoryName}-latest`,
    },
    /** Directories of the other names of versions. */
    aliases: [...new Set([LATEST, ...countingAliases.map(({ alias }) => alias)])].map(
      (name) => `${directoryName}-${name}`,
    ),
    /** Status of the current version compared with the latest one. */
    ...(isPreview(current) ? {} : { standing: releaseStatusOf(project, current) }),
    /** Why the current version should not be used any more. */
    deprecated: project.deprecation(current),
    versions: project.versions
      .filter((version) => version === current || isListed({ project, version }))
      .toReversed()
      .map((version) => ({
        directory: version.directoryName,
        version: version.label,
        kind: versionKind(version.label),
        aliases: project.aliasesOf(version.label).filter((alias) => alias !== LATEST),
        deprecated: project.deprecation(version) !== undefined,
        published: dayOf(version.record.publishedAt),
      })),
  };
}

/** Path that redirects the page appended to it to this version, or to the nearest page there. */
function goTo({ directoryName }: Version): string {
  return `/-/go/${directoryName}/`;
}
