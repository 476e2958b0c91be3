import { counted, type Project, sizeOf, type Version } from '../../../../domain/index.js';
import { Minute } from '../day.js';
import { Marks } from '../marks.js';
import { useAddresses } from '../page-context.js';
import { Warnings } from './warnings.js';

interface VersionEntryProps {
  readonly project: Project;
  readonly version: Version;
  /** The version that it is compared with; undefined for the first. */
  readonly before: Version | undefined;
}

/** One version with all its facts. Copied-in directories have neither sizes nor a checksum. */
export function VersionEntry({ project, version, before }: VersionEntryProps) {
  const addresses = useAddresses();
  const { label, origin } = version;
  const { site, archive, publishedAt, token } = version.record;
  const deprecation = project.deprecation(version);
  return (
    <li class="version">
      <p class="version-head">
        <span class="version-label">
          <a class="quiet-link" href={addresses.site(version)}>
            {label}
          </a>
          <Marks project={project} version={version} />
        </span>
        <Minute date={publishedAt} />
      </p>
      {deprecation !== undefined && (
        <p class="version-deprecation">
          <bdi>{deprecation}</bdi>
        </p>
      )}
      <div class="version-facts">
        {token !== undefined && (
          <span>
            with token <bdi>{token}</bdi>
          </span>
        )}
        {origin === 'copied' && <span>copied to the server</span>}
        {site !== undefined && (
          <span>
            {counted(site.files, 'file')}, {sizeOf(site.bytes)}
          </span>
        )}
        <Warnings of={version} />
        {before !== undefined && (
          <a href={addresses.comparison(project, before, version)}>
            Changes
            <span class="visually-hidden">
              {' '}
              of {label} since {before.label}
            </span>
          </a>
        )}
        <a href={addresses.archive(version)}>
          Download<span class="visually-hidden"> {label}</span>
          {archive !== undefined && ` ${sizeOf(archive.size)}`}
        </a>
        {archive !== undefined && (
          <details class="checksum">
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
