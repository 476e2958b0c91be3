import {
  counted,
  inSeries,
  type Project,
  type Version,
  type VersionSeries,
  versionsBefore,
} from '../../../../domain/index.js';
import { VersionEntry } from './version-entry.js';

/** Max. number of versions that are all unfolded. */
const MAX_UNFOLDED = 20;

/**
 * All versions of a project that are not hidden, by major version, newest first. Pre-releases are folded beside releases;
 * where there are many versions, so are the series before the latest version. `versions.js` adds a filter.
 */
export function AllVersions({ project }: { readonly project: Project }) {
  const { listed, latest } = project;
  const series = inSeries(listed);
  const before = versionsBefore(listed);
  const latestAt = series.findIndex((each) => holds(each, latest));
  const entries = (of: readonly Version[]) => (
    <ul class="plain-list versions">
      {of.map((version) => (
        <VersionEntry
          key={version.label}
          project={project}
          version={version}
          before={before.get(version.label)}
        />
      ))}
    </ul>
  );
  const content = (each: VersionSeries) => (
    <>
      {entries(each.versions)}
      {each.preReleases.length > 0 && (
        <details class="pre-releases" open={each.preReleases.includes(latest)}>
          <summary>{counted(each.preReleases.length, 'pre-release')}</summary>
          {entries(each.preReleases)}
        </details>
      )}
    </>
  );
  const [only] = series;
  if (only !== undefined && series.length === 1) return content(only);
  return (
    <>
      {series.map((each, index) => (
        <details class="series" key={each.major} open={listed.length <= MAX_UNFOLDED || index <= latestAt}>
          <summary>
            <h3>{each.major === undefined ? 'Branches and commits' : `Version ${each.major}`}</h3>{' '}
            <span class="count">{spanOf(each)}</span>
          </summary>
          {content(each)}
        </details>
      ))}
    </>
  );
}

function holds({ versions, preReleases }: VersionSeries, { label }: Version): boolean {
  return [...versions, ...preReleases].some((version) => version.label === label);
}

/** Number of versions and the years of their publication: `42 versions, 2019–2023`. */
function spanOf({ versions, preReleases }: VersionSeries): string {
  const years = [...versions, ...preReleases].map(({ record }) => record.publishedAt.getUTCFullYear());
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return `${counted(years.length, 'version')}, ${first === last ? first : `${first}–${last}`}`;
}
