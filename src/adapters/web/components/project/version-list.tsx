import { LATEST, type Project, type Version, versionKind } from '../../../../domain/index.js';
import { Day } from '../day.js';
import { useAddresses } from '../page-context.js';

/** Max. versions that are shown. */
const MAX_SHOWN = 8;

interface VersionListProps {
  readonly project: Project;
  /** Newest first. */
  readonly versions: readonly Version[];
  /** Page to link in each version, percent-encoded; the empty string is the front page. */
  readonly page: string;
}

/** Links to the newest versions of a project, and to the project's page when there are more. */
export function VersionList({ project, versions, page }: VersionListProps) {
  const addresses = useAddresses();
  const shown = versions.slice(0, MAX_SHOWN);
  return (
    <>
      <ul class="plain-list ruled">
        {shown.map((version) => (
          <li class="version-line line ends" key={version.label}>
            <span class="version-label line">
              <a
                class="quiet-link strong"
                href={page === '' ? addresses.site(version) : addresses.go(version, page)}
              >
                {version.label}
              </a>
              <Marks project={project} version={version} />
            </span>
            <Day date={version.record.publishedAt} />
          </li>
        ))}
      </ul>
      {versions.length > MAX_SHOWN && (
        <p class="count">
          <a href={addresses.project(project)}>All {project.listed.length} versions</a>
        </p>
      )}
    </>
  );
}

/** Marks of the versions that are no plain release: latest, pre-release, branch, commit, aliases, deprecated. */
export function Marks({ project, version }: { readonly project: Project; readonly version: Version }) {
  const kind = versionKind(version.label);
  return (
    <>
      {project.isLatest(version) && <span class="mark good">latest</span>}
      {kind !== 'release' && <span class="mark caution">{kind}</span>}
      {project
        .aliasesOf(version.label)
        .filter((alias) => alias !== LATEST)
        .map((alias) => (
          <span class="mark" key={alias}>
            {alias}
          </span>
        ))}
      {project.deprecation(version) !== undefined && <span class="mark caution">deprecated</span>}
    </>
  );
}
