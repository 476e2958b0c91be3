import {
  type ChosenVersion,
  chooseProjects,
  chooseVersion,
  LATEST,
  nameInProject,
  quote,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { NothingThere, noProject, noVersion, severalProjects } from './tool-fault.js';

/**
 * Returns the version of a project that is meant.
 * @param name of the project, as people write it
 * @param argument name of the argument that `asked` is
 * @throws ToolFault with what is hosted instead
 */
export function locateVersion(
  seen: VisibleCatalogue,
  name: string,
  asked: string | undefined,
  argument = 'version',
): ChosenVersion {
  const meant = chooseProjects(seen, name);
  if (meant.length > 1) throw severalProjects(name, meant);
  // A project of previews only has no other name.
  const { project: directoryName, version } = meant[0] ?? { project: name };
  const wanted = asked ?? version;
  const chosen = chooseVersion(seen, directoryName, wanted);
  if (chosen !== undefined) return chosen;
  const project = seen.listedProject(directoryName);
  if (project !== undefined) throw noVersion(project, wanted ?? LATEST, argument);
  if (asked?.startsWith('~') === true)
    throw new NothingThere(`No preview ${quote(asked)} of ${quote(name)}.`);
  throw noProject(seen, name);
}

/** `postgres 15.20 (newest that satisfies '~=15'; latest is 17.11)` */
export function versionLine({ project, version, why }: ChosenVersion, asked = ''): string {
  const { latest } = project ?? {};
  const notes = [
    whyText(why, asked === '' ? "in 'project'" : quote(asked)),
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
