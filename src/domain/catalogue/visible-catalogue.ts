import type { Previews } from '../previews/previews.js';
import type { Project } from '../project.js';
import { Contents } from './contents.js';
import type { Reader } from './reader.js';

/**
 * What a reader may see at one moment: no project without a right to it, no preview that has ended. Whatever answers readers
 * gets this, and never a `Catalogue`. Hidden versions are there for who names them; lists show `listed` (contract section 4).
 */
export class VisibleCatalogue extends Contents {
  private sortedListed: readonly Project[] | undefined;

  /** @param previews those that have not ended */
  static of(reader: Reader, all: ReadonlyMap<string, Project>, previews: Previews): VisibleCatalogue {
    const maySee = (project: string) => reader.maySee(project);
    const visible = new Map<string, Project>();
    for (const [name, project] of all) if (maySee(name)) visible.set(name, toldOf(project, reader));
    return new VisibleCatalogue(visible.size === all.size ? all : visible, previews.inProjects(maySee));
  }

  /** The projects with a version that is listed; the same array as `projects` when these are all. */
  get listed(): readonly Project[] {
    if (this.sortedListed === undefined) {
      const listed = this.projects.filter((project) => project.listed.length > 0);
      this.sortedListed = listed.length === this.projects.length ? this.projects : listed;
    }
    return this.sortedListed;
  }

  /** Like `project`, for lists and pages: a project without a version that is listed is none. */
  listedProject(directoryName: string): Project | undefined {
    const project = this.project(directoryName);
    return project?.listed.length === 0 ? undefined : project;
  }
}

/** Returns a project whose aliases count, unless the project that they stand back for is one that the reader may know of. */
function toldOf(project: Project, { mayKnowOf }: Reader): Project {
  const { shadowed, directoryName } = project;
  if (shadowed.size === 0 || mayKnowOf === undefined) return project;
  const known = [...shadowed].filter((alias) => mayKnowOf(`${directoryName}-${alias}`));
  return known.length === shadowed.size ? project : project.withShadowed(new Set(known));
}
