import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programBeside } from '../support/program-beside.js';
import { JUDGED_SITES, type JudgedSite } from './sites.js';
import { unpacked } from './unpack.js';

/** Programs that build at the same time. */
const AT_ONCE = 4;
const BUILD_SITES = programBeside(import.meta.url, 'build-sites');
const run = promisify(execFile);

/** The largest sites, of which each program gets one: the last one keeps all waiting. */
const LARGEST = ['rust', 'openjdk', 'cppreference', 'apache'];
const isLarge = ({ project }: JudgedSite) => Number(LARGEST.includes(project));

export const databaseOf = (directory: string, project: string) => join(directory, `${project}.db`);

/**
 * Builds the databases of all judged sites that are not in a directory yet.
 * @param leftOut pages that are not indexed, as regular expressions of `<project>/<path>`
 * @returns why a site cannot be had here, if one cannot
 */
export async function buildDatabases(
  directory: string,
  leftOut: readonly string[] = [],
): Promise<string | undefined> {
  const missing = [...JUDGED_SITES]
    .filter(({ project }) => !existsSync(databaseOf(directory, project)))
    .sort((a, b) => isLarge(b) - isLarge(a));
  let unavailable: string | undefined;
  const build = async (sites: readonly JudgedSite[]) => {
    for (const site of sites) {
      await unpacked(site).catch((error: unknown) => {
        unavailable ??= `apt-get cannot download ${site.package} here: ${String(error)}`;
      });
      if (unavailable !== undefined) return;
    }
    const projects = sites.map(({ project }) => project).join(',');
    await run(process.execPath, [...process.execArgv, BUILD_SITES, directory, projects, ...leftOut]);
  };
  const shares = Array.from({ length: AT_ONCE }, (_, number) =>
    missing.filter((_, at) => at % AT_ONCE === number),
  );
  await Promise.all(shares.filter((sites) => sites.length > 0).map(build));
  return unavailable;
}
