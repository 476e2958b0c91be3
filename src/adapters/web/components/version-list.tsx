import { isStable, type Project, type Version } from '../../../domain/index.js';
import { addresses } from '../addresses.js';
import { Day } from './day.js';

const SHOWN = 5;

/** All versions of a project, newest first. When there are many, all but the newest few are folded away. */
export function VersionList({ project }: { readonly project: Project }) {
  const newestFirst = project.versions.toReversed();
  // Folding a single version away would take as much room as showing it.
  const shown = newestFirst.length > SHOWN + 1 ? SHOWN : newestFirst.length;
  const folded = newestFirst.slice(shown);
  return (
    <div class="versions">
      <Rows project={project} versions={newestFirst.slice(0, shown)} />
      {folded.length > 0 && (
        <details>
          <summary class="quiet-link">
            {folded.length} more versions<span class="visually-hidden"> of {project.name}</span>
          </summary>
          <Rows project={project} versions={folded} />
        </details>
      )}
    </div>
  );
}

function Rows({ project, versions }: { readonly project: Project; readonly versions: readonly Version[] }) {
  return (
    <ul class="plain-list">
      {versions.map((version) => (
        <li class="version" key={version.label}>
          <span class="version-label">
            <a class="quiet-link" href={addresses.site(version)}>
              <span class="visually-hidden">{project.name} </span>
              {version.label}
            </a>
            {version.label === project.latest.label && <span class="mark mark-latest">latest</span>}
            {!isStable(version.label) && <span class="mark mark-pre-release">pre-release</span>}
          </span>
          <Day date={version.publishedAt} />
          <a class="quiet-link download" href={addresses.archive(version)}>
            zip
            <span class="visually-hidden">
              {' '}
              of {project.name} {version.label}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
