import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programBeside } from '../support/program-beside.js';
import { JUDGED_SITES, type JudgedSite } from './sites.js';
import { unpacked } from './unpack.js';

/** Sites that are built at the same time. They take 100 s of processor time together. */
const AT_ONCE = 4;
const BUILD_SITE = programBeside(import.meta.url, 'build-site');
const run = promisify(execFile);

/** The largest sites, which are built first: the last one keeps all waiting. */
const LARGEST = ['rust', 'openjdk', 'cppreference'];
const isLarge = ({ project }: JudgedSite) => Number(LARGEST.includes(project));

export const databaseOf = (directory: string, project: string) => join(directory, `${project}.db`);

/**
 * Builds the databases of all judged sites that are not in a directory yet.
 * @returns why a site cannot be had here, if one cannot
 */
export async function buildDatabases(directory: string): Promise<string | undefined> {
  const waiting = [...JUDGED_SITES]
    .filter(({ project }) => !existsSync(databaseOf(directory, project)))
    .sort((a, b) => isLarge(b) - isLarge(a));
  let unavailable: string | undefined;
  const build = async () => {
    for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) {
      const { package: name, project } = site;
      await unpacked(site).catch((error: unknown) => {
        unavailable ??= `apt-get cannot download ${name} here: ${String(error)}`;
      });
      if (unavailable !== undefined) return;
      await run(process.execPath, [...process.execArgv, BUILD_SITE, project, databaseOf(directory, project)]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, build));
  return unavailable;
}
