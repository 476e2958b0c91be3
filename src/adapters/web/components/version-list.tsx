import type { Project, Version } from '../../../domain/index.js';
import { useAddresses } from './addresses.js';
import { Day } from './day.js';
import { Marks } from './marks.js';

const SHOWN = 8;

interface VersionListProps {
  readonly project: Project;
  /** Newest first. */
  readonly versions: readonly Version[];
  /** A page to look for in each version, as it stands in a URL; the empty string is the front page. */
  readonly page: string;
}

/** Versions of a project as ways on. When there are many, the project's page has the rest. */
export function VersionList({ project, versions, page }: VersionListProps) {
  const addresses = useAddresses();
  const shown = versions.slice(0, SHOWN);
  return (
    <>
      <ul class="plain-list version-list">
        {shown.map((version) => (
          <li class="version-line" key={version.label}>
            <span class="version-label">
              <a
                class="quiet-link"
                href={page === '' ? addresses.site(version) : addresses.go(version, page)}
              >
                {version.label}
              </a>
              <Marks project={project} version={version} />
            </span>
            <Day date={version.publishedAt} />
          </li>
        ))}
      </ul>
      {versions.length > SHOWN && (
        <p class="count">
          <a href={addresses.project(project)}>All {project.versions.length} versions</a>
        </p>
      )}
    </>
  );
}
