import {
  type Catalogue,
  closestNames,
  isCopiedInName,
  type Project,
  parseDirectoryName,
} from '../domain/index.js';

const MOST = 3;

/**
 * The projects that someone may have meant.
 * @param name what was written: of a project, of one of its versions, or of the alias `<project>-latest`
 */
export function closestProjects(catalogue: Catalogue, name: string): readonly Project[] {
  const project = parseDirectoryName(name)?.project;
  // Only where a number follows is it certain that a version does: `my-projetc` is no version of `my`.
  const wanted =
    project !== undefined && isCopiedInName(name) ? [project] : [withoutAlias(name), project ?? ''];
  const names = catalogue.projects.map(({ directoryName }) => directoryName);
  const found = new Set(wanted.flatMap((each) => closestNames(each, names)));
  return [...found]
    .slice(0, MOST)
    .map((each) => catalogue.project(each))
    .filter((each) => each !== undefined);
}

function withoutAlias(name: string): string {
  return name.replace(/-latest$/, '');
}
