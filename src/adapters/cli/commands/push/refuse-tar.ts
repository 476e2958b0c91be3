import { basename } from 'node:path';
import { shellWord } from '../../shell-word.js';
import { StartError } from '../../start-error.js';
import { type GivenNames, namesIn } from './identify.js';

const TAR = /^(.+)\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|tzst)$/i;

/**
 * Refuses a tar archive by its name: servers take zip archives only.
 * @throws StartError with the command that publishes what is in it
 */
export function refuseTar(path: string, given: GivenNames): void {
  const stem = TAR.exec(basename(path))?.[1];
  if (stem === undefined) return;
  const named = namesIn(`${stem}.zip`);
  const isNamed = given.version !== undefined || given.preview !== undefined;
  const { version, preview } = isNamed
    ? given
    : { version: named.version?.value, preview: named.preview?.value };
  const options = Object.entries({ project: given.project ?? named.project?.value, version, preview })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` --${name} ${shellWord(value ?? '')}`);
  const [archive, directory] = [path, stem].map(shellWord);
  throw new StartError(
    `${path} is a tar archive, and servers take directories and zip archives; unpack it and push the directory: ` +
      `mkdir ${directory} && tar -xf ${archive} -C ${directory} && lectern push ${directory}${options.join('')}`,
  );
}
