import {
  counted,
  inSeries,
  minuteOf,
  type Project,
  type Source,
  sizeOf,
  type Version,
  type VersionSeries,
  versionsBefore,
  warningText,
} from '../../../../domain/index.js';
import { Day } from '../day.js';
import { useAddresses } from '../page-context.js';
import { SourceNote } from './source-note.js';
import { Marks } from './version-list.js';

/** Max. number of versions that are all unfolded. */
const MAX_UNFOLDED = 20;

/** Where versions and previews were built from, by directory name, as far as the reader may see it. */
type Sources = ReadonlyMap<string, Source>;

/**
 * All versions of a project that are not hidden, by major version, newest first. Pre-releases are folded beside releases;
 * where there are many versions, so are the series before the latest version. `versions.js` adds a filter.
 */
export function AllVersions({ project, sources }: { readonly project: Project; readonly sources: Sources }) {
  const { listed, latest } = project;
  const series = inSeries(listed);
  const before = versionsBefore(listed);
  const latestAt = series.findIndex(({ versions, preReleases }) =>
    [...versions, ...preReleases].some(({ label }) => label === latest.label),
  );
  const entries = (of: readonly Version[]) => (
    <ul class="plain-list versions">
      {of.map((version) => (
        <VersionEntry
          key={version.label}
          project={project}
          version={version}
          before={before.get(version.label)}
          source={sources.get(version.directoryName)}
        />
      ))}
    </ul>
  );
  const content = (each: VersionSeries) => (
    <>
      {entries(each.versions)}
      {each.preReleases.length > 0 && (
        <details class="pre-releases" open={each.preReleases.includes(latest)}>
          <summary class="small">{counted(each.preReleases.length, 'pre-release')}</summary>
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
        <details
          class="series above-3"
          key={each.major}
          open={listed.length <= MAX_UNFOLDED || index <= latestAt}
        >
          <summary>
            <h3>{each.major === undefined ? 'Branches and commits' : `${each.major}.x`}</h3>{' '}
            <span class="tally">
              {each.versions.length + each.preReleases.length}
              <span class="visually-hidden"> versions</span>
            </span>
          </summary>
          {content(each)}
        </details>
      ))}
    </>
  );
}

/** The previews of a project, folded: links for those who work on it. Nothing without previews. */
export function PreviewList({
  previews,
  sources,
}: {
  readonly previews: readonly Version[];
  readonly sources: Sources;
}) {
  const addresses = useAddresses();
  if (previews.length === 0) return null;
  return (
    <details class="previews above-4">
      <summary>{counted(previews.length, 'preview')}</summary>
      <ul class="plain-list ruled">
        {previews.map((preview) => (
          <li class="version-line line ends" key={preview.label}>
            <span class="version-label line">
              <a class="quiet-link strong" href={addresses.site(preview)}>
                {preview.label}
              </a>
            </span>
            <span class="preview-end small">
              <Day date={preview.record.publishedAt} /> · <End of={preview} />
            </span>
            <From source={sources.get(preview.directoryName)} />
            <Warnings of={preview} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface VersionEntryProps {
  readonly project: Project;
  readonly version: Version;
  /** The version that it is compared with; undefined for the first. */
  readonly before: Version | undefined;
  readonly source: Source | undefined;
}

/** A version with all its facts. Copied-in directories have neither sizes nor a checksum. */
function VersionEntry({ project, version, before, source }: VersionEntryProps) {
  const addresses = useAddresses();
  const { label, origin } = version;
  const { site, archive, publishedAt, token } = version.record;
  const deprecation = project.deprecation(version);
  return (
    <li class="version">
      <p class="version-head line ends">
        <span class="version-label line">
          <a class="quiet-link strong" href={addresses.site(version)}>
            {label}
          </a>
          <Marks project={project} version={version} />
        </span>
        <Day date={publishedAt} age="minute" />
      </p>
      {deprecation !== undefined && (
        <p class="version-deprecation measure">
          <bdi>{deprecation}</bdi>
        </p>
      )}
      <div class="version-facts line small">
        {token !== undefined && (
          <span>
            by <bdi>{token}</bdi>
          </span>
        )}
        <From source={source} />
        {origin === 'copied' && <span>copied to the server</span>}
        {site !== undefined && (
          <span>
            {counted(site.files, 'file')}, {sizeOf(site.bytes)}
          </span>
        )}
        <Warnings of={version} />
        {before !== undefined && (
          <a class="quiet-link" href={addresses.comparison(project, before, version)}>
            Changes
            <span class="visually-hidden">
              {' '}
              of {label} since {before.label}
            </span>
          </a>
        )}
        <a class="quiet-link" href={addresses.archive(version)}>
          Download<span class="visually-hidden"> {label}</span>
          {archive !== undefined && ` ${sizeOf(archive.size)}`}
        </a>
        {archive !== undefined && (
          <details class="checksum small">
            <summary>
              sha256<span class="visually-hidden"> of {label}</span>
            </summary>
            <code data-copy={`the sha256 of ${label}`}>{archive.sha256}</code>
          </details>
        )}
      </div>
    </li>
  );
}

/** Nothing where nothing is known, or shown. */
function From({ source }: { readonly source: Source | undefined }) {
  return source === undefined ? null : <SourceNote of={source} />;
}

function End({ of }: { readonly of: Version }) {
  const { expiresAt } = of.record;
  if (expiresAt === undefined) return <>kept</>;
  return (
    <>
      until{' '}
      <time datetime={expiresAt.toISOString()} title={minuteOf(expiresAt)}>
        {expiresAt.toISOString().slice(0, 10)}
      </time>
    </>
  );
}

/** The warnings of the upload, folded. Nothing for a version without any. */
function Warnings({ of }: { readonly of: Version }) {
  const { warnings = [] } = of.record;
  if (warnings.length === 0) return null;
  return (
    <details class="warnings measure">
      <summary>
        {counted(warnings.length, 'warning')}
        <span class="visually-hidden"> about {of.label}</span>
      </summary>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.message}>
            <bdi>{warningText(warning)}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}
