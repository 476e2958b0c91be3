import { isStable, type Project, SearchTerm } from '../../../domain/index.js';
import { Day } from './day.js';
import { Marked } from './marked.js';
import { useAddresses } from './page-context.js';
import { ProjectLogo } from './project-logo.js';
import { counted } from './quantities.js';

interface ProjectEntryProps {
  readonly project: Project;
  /** Term to mark in the names; the empty term marks nothing. */
  readonly search?: SearchTerm;
}

/** One project in a list, with its latest version. `projects.js` finds the names by their classes. */
export function ProjectEntry({ project, search = SearchTerm.none }: ProjectEntryProps) {
  const addresses = useAddresses();
  const { name, directoryName, description, latest, versions } = project;
  return (
    <li class="project">
      <ProjectLogo project={project} />
      <div class="project-words">
        <h2>
          <a class="quiet-link project-name" href={addresses.latest(project)}>
            <bdi>
              <Marked text={name} search={search} />
            </bdi>
          </a>
        </h2>
        {name !== directoryName && (
          <code class="directory-name">
            <Marked text={directoryName} search={search} />
          </code>
        )}
        {description !== '' && (
          <p class="description">
            <bdi>{description}</bdi>
          </p>
        )}
      </div>
      <p class="project-facts">
        <span class="release">
          <span class="visually-hidden">Latest: </span>
          {latest.label}
          {!isStable(latest.label) && <span class="mark mark-pre-release">pre-release</span>}
        </span>
        <Day date={latest.publishedAt} />
        <a href={addresses.project(project)}>
          {counted(versions.length, 'version')}
          <span class="visually-hidden"> of {name}</span>
        </a>
      </p>
    </li>
  );
}
