import type { VersionId } from '../names/version-id.js';
import { isPreview } from '../previews/preview.js';
import { type Refusal, refuse } from '../refusal.js';
import type { Catalogue } from './catalogue.js';

/**
 * Returns the refusal of a version that is about to be published: it is there and must not be replaced, or an alias of its
 * project has its name. Stores ask under the lock under which they publish.
 * @param isThere whether something has the address of the version, where a store knows that better than its catalogue
 */
export function whyNotPublished(
  catalogue: Catalogue,
  id: VersionId,
  replace: boolean,
  isThere = catalogue.version(id.directoryName) !== undefined,
): Refusal | undefined {
  const { project, label, directoryName } = id;
  if (isThere) return replace ? undefined : refuse.versionExists(project, label, '');
  const isAlias = !isPreview(id) && catalogue.settingsOf(project).aliases.has(label);
  return isAlias ? refuse.nameTaken(directoryName, `an alias of project '${project}'`) : undefined;
}
