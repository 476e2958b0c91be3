import type { Located } from '../catalogue/located.js';
import { isPreview } from '../previews/preview.js';
import type { VersionId } from './version-id.js';

/** Returns the name of a version inside its project, as addresses and parameters have it: its label, `~<name>` for a preview. */
export function nameInProject(id: VersionId): string {
  return isPreview(id) ? `~${id.label}` : id.label;
}

/** Returns the name of a project in the API; a preview beside no versions has that of its own docinfo. */
export function displayNameOf({ project, version }: Located): string {
  return project?.name ?? version.record.docinfo?.name ?? version.project;
}

/** Returns the title of a project on pages. */
export function projectTitle(located: Located): string {
  return located.project?.title ?? displayNameOf(located);
}
