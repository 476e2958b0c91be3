import type { Project, Version } from '../../../domain/index.js';
import { Day } from './day.js';
import { Marks } from './marks.js';
import { useAddresses } from './page-context.js';
import { counted, sizeOf } from './quantities.js';

interface VersionEntryProps {
  readonly project: Project;
  readonly version: Version;
}

/** One version with all its facts. Copied-in directories have neither sizes nor a checksum. */
export function VersionEntry({ project, version }: VersionEntryProps) {
  const addresses = useAddresses();
  const { label, site, archive, publishedAt } = version;
  return (
    <li class="version">
      <p class="version-head">
        <span class="version-label">
          <a class="quiet-link" href={addresses.site(version)}>
            {label}
          </a>
          <Marks project={project} version={version} />
        </span>
        <Day date={publishedAt} />
      </p>
      <p class="version-facts">
        {site !== undefined && (
          <span>
            {counted(site.files, 'file')}, {sizeOf(site.bytes)}
          </span>
        )}
        <a href={addresses.archive(version)}>
          Download<span class="visually-hidden"> {label}</span>
          {archive !== undefined && ` ${sizeOf(archive.size)}`}
        </a>
      </p>
      {archive !== undefined && (
        <details class="checksum">
          <summary>
            sha256<span class="visually-hidden"> of {label}</span>
          </summary>
          <code data-copy={`the sha256 of ${label}`}>{archive.sha256}</code>
        </details>
      )}
    </li>
  );
}
