import type { Catalogue, Located } from './catalogue.js';
import { isPreview } from './previews/preview.js';
import { LATEST } from './settings/project-settings.js';
import type { VersionId } from './version-id.js';

/** Returns the name of a version inside its project, as addresses and parameters have it: its label, `~<name>` for a preview. */
export function nameInProject(id: VersionId): string {
  return isPreview(id) ? `~${id.label}` : id.label;
}

/** Returns what such a name stands for, with its project. Aliases and `latest` are names, too. */
export function locateNamed(catalogue: Catalogue, project: string, name: string): Located | undefined {
  const found = catalogue.project(project);
  const inProject = () => (name === LATEST ? found?.latest : (found?.version(name) ?? found?.named(name)));
  const version = name.startsWith('~') ? catalogue.version(project + name) : inProject();
  return version && { project: found, version };
}

/** Returns the name to show for a project; a preview beside no versions has that of its own docinfo. */
export function displayNameOf({ project, version }: Located): string {
  return project?.name ?? version.docinfo?.name ?? version.project;
}
