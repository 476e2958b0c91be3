import {
  type Catalogue,
  closestNames,
  isCopiedInName,
  type Project,
  parseDirectoryName,
} from '../domain/index.js';

const MAX_SUGGESTED = 3;

/**
 * Returns the projects with the most similar names.
 * @param name the requested name of a project, a version, or an alias `<project>-latest`
 */
export function closestProjects(catalogue: Catalogue, name: string): readonly Project[] {
  const project = parseDirectoryName(name)?.project;
  // Only a number marks a version for certain: `my-projetc` is no version of `my`.
  const wanted =
    project !== undefined && isCopiedInName(name) ? [project] : [withoutAlias(name), project ?? ''];
  const names = catalogue.projects.map(({ directoryName }) => directoryName);
  const found = new Set(wanted.flatMap((each) => closestNames(each, names)));
  return [...found]
    .slice(0, MAX_SUGGESTED)
    .map((each) => catalogue.project(each))
    .filter((each) => each !== undefined);
}

function withoutAlias(name: string): string {
  return name.replace(/-latest$/, '');
}
