import type { Project } from '../../../domain/index.js';
import { addresses } from '../addresses.js';
import { ProjectLogo } from './project-logo.js';
import { VersionList } from './version-list.js';

/** One project in the index: what it is on the left, its versions on the right. */
export function ProjectEntry({ project }: { readonly project: Project }) {
  const { name, directoryName, description, latest } = project;
  return (
    <li class="project">
      <div class="project-identity">
        <ProjectLogo project={project} />
        <div class="project-words">
          <h2>
            <a class="quiet-link" href={addresses.latest(project)}>
              <bdi>{name}</bdi>
            </a>
          </h2>
          {name !== directoryName && (
            <p class="directory-name">
              <code>{directoryName}</code>
            </p>
          )}
          {description !== '' && (
            <p class="description">
              <bdi>{description}</bdi>
            </p>
          )}
          <p class="latest">
            Latest <a href={addresses.latest(project)}>{latest.label}</a>{' '}
            <a class="quiet-link download" href={addresses.latestArchive(project)}>
              zip<span class="visually-hidden"> of the latest {name}</span>
            </a>
          </p>
        </div>
      </div>
      <VersionList project={project} />
    </li>
  );
}
