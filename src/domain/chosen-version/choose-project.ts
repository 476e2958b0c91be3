import type { VisibleCatalogue } from '../catalogue/visible-catalogue.js';
import { nameInProject } from '../names/version-name.js';
import type { Project } from '../project.js';
import { fold } from '../search/search-term.js';
import { LATEST } from '../settings/project-settings.js';

/** A project that a name may mean. */
export interface ChosenProject {
  /** Directory name. */
  readonly project: string;
  /** The version that the name means as well, as that of a version's address does: its label, an alias, `~<name>`. */
  readonly version?: string;
}

/** Names of a project, without case and separators. */
interface Names {
  readonly directory: string;
  readonly titles: readonly string[];
}

/** Cache by project: projects never change. */
const cache = new WeakMap<Project, Names>();

/**
 * Returns the projects that a name may mean, as people write it: none, one, or several that are called so. The directory name
 * itself wins, then directory names without regard to case, spaces, `_` and `-`, then titles, names of a docinfo and titles of
 * front pages, then the addresses of versions and aliases: `flask-2.1.0`, `flask-lts`.
 */
export function chooseProjects(seen: VisibleCatalogue, name: string): readonly ChosenProject[] {
  if (seen.project(name) !== undefined) return [{ project: name }];
  const wanted = bare(name);
  if (wanted === '') return [];
  const called = calledSo(seen.listed, wanted);
  if (called.length > 0) return called.map(({ directoryName }) => ({ project: directoryName }));
  const located = seen.locate(name)?.version;
  if (located !== undefined) return [{ project: located.project, version: nameInProject(located) }];
  return seen.listed.flatMap((project) => {
    const version = aliasIn(project, wanted);
    return version === undefined ? [] : [{ project: project.directoryName, version }];
  });
}

function calledSo(projects: readonly Project[], wanted: string): readonly Project[] {
  const byDirectory = projects.filter((project) => namesOf(project).directory === wanted);
  if (byDirectory.length > 0) return byDirectory;
  return projects.filter((project) => namesOf(project).titles.includes(wanted));
}

function namesOf(project: Project): Names {
  let names = cache.get(project);
  if (names === undefined) {
    const { directoryName, title, name, frontPage } = project;
    names = { directory: bare(directoryName), titles: [title, name, frontPage.title ?? ''].map(bare) };
    cache.set(project, names);
  }
  return names;
}

/** Returns the alias of a project whose address is meant. */
function aliasIn(project: Project, wanted: string): string | undefined {
  const { directory } = namesOf(project);
  if (!wanted.startsWith(directory)) return undefined;
  const alias = wanted.slice(directory.length);
  const aliases = [LATEST, ...project.settings.aliases.keys()];
  return aliases.find(
    (each) => bare(each) === alias && (each === LATEST || project.named(each) !== undefined),
  );
}

function bare(name: string): string {
  return fold(name).replaceAll(/[\s_-]+/g, '');
}
