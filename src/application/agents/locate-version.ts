import {
  type ChosenVersion,
  chooseVersion,
  LATEST,
  nameInProject,
  quote,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { noProject, noVersion, ToolFault } from './tool-fault.js';

/**
 * Returns the version of a project that is meant.
 * @throws ToolFault with what is hosted instead
 */
export function locateVersion(
  seen: VisibleCatalogue,
  name: string,
  asked: string | undefined,
): ChosenVersion {
  const chosen = chooseVersion(seen, name, asked);
  if (chosen !== undefined) return chosen;
  const project = seen.listedProject(name);
  if (project !== undefined) throw noVersion(project, asked ?? LATEST);
  if (asked?.startsWith('~') === true) throw new ToolFault(`No preview ${quote(asked)} of ${quote(name)}.`);
  throw noProject(seen, name);
}

/** `postgres 15.20 (newest that satisfies '~=15'; latest is 17.11)` */
export function versionLine({ project, version, why }: ChosenVersion, asked = ''): string {
  const { latest } = project ?? {};
  const notes = [
    whyText(why, quote(asked)),
    latest === undefined || project?.isLatest(version) ? '' : `latest is ${latest.label}`,
    project?.deprecation(version) === undefined ? '' : 'deprecated',
  ].filter((note) => note !== '');
  const suffix = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return `${version.project} ${nameInProject(version)}${suffix}`;
}

function whyText(why: ChosenVersion['why'], asked: string): string {
  switch (why) {
    case 'label':
      return '';
    case 'latest':
      return 'latest';
    case 'preview':
      return 'a preview';
    case 'alias':
      return `alias ${asked}`;
    case 'exact':
      return `the same as ${asked}`;
    case 'range':
      return `newest that satisfies ${asked}`;
    case 'nearest':
      return `NOT ${asked}, which is not hosted: the nearest with the same first number`;
  }
}
