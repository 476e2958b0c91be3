import {
  isProjectName,
  type ProjectSettings,
  parseSettings,
  refuse,
  type SettingsBody,
  SettingsError,
  settingsBody,
} from '../domain/index.js';

const DERIVED_NAME = /^[a-z][a-z0-9.-]{0,39}$/;
const REVISION = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/;

/** Returns whether a text can be the revision of a version. */
export function isRevision(text: string): boolean {
  return REVISION.test(text);
}

/**
 * Checks the arguments of a `DerivedFiles`.
 * @throws RangeError for an invalid one
 */
export function assertDerived(revision: string, name: string): void {
  if (!isRevision(revision)) throw new RangeError('no revision');
  if (!DERIVED_NAME.test(name)) {
    throw new RangeError("a derived file's name has 1 to 40 of a-z, 0-9, . and -, a letter first");
  }
}

/**
 * Returns the JSON form of settings that a store can keep.
 * @throws RangeError for an invalid project name; Refusal `invalid_settings`
 */
export function storableSettings(project: string, settings: ProjectSettings): SettingsBody {
  if (!isProjectName(project)) throw new RangeError('no name of a project');
  const body = settingsBody(settings);
  try {
    parseSettings(project, body);
  } catch (error) {
    throw error instanceof SettingsError ? refuse.invalidSettings(project, error.message) : error;
  }
  return body;
}
