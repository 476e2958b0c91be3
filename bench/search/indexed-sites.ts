import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { databaseOf } from '../../test/judged/databases.js';
import { JUDGED_SITES } from '../../test/judged/sites.js';
import { pagesBelow, unpacked } from '../../test/judged/unpack.js';
import { ROOT } from '../../test/support/root.js';
import { mainOfBuild } from '../support/builds.js';
import { run } from '../support/processes.js';
import { progress } from '../support/script.js';
import { megabytes, type Row } from '../support/table.js';
import { temporaryDirectory } from '../support/temporary.js';

const BUILD_SITE = fileURLToPath(new URL('./build-site.ts', import.meta.url));
/** Sites indexed at the same time: one for each processor. */
const AT_ONCE = 2;

export interface IndexedSites {
  /** File of the index of each site, by project. */
  readonly databases: ReadonlyMap<string, string>;
  /** Size of all of them. */
  readonly row: Row;
}

/** Indexes the sites of the judged queries, all of them or those of some projects. */
export async function indexSites(projects?: readonly string[]): Promise<IndexedSites> {
  const directory = temporaryDirectory('search-sites');
  const databases = new Map<string, string>();
  const waiting = JUDGED_SITES.filter(({ project }) => projects?.includes(project) ?? true);
  let html = 0;
  const build = async () => {
    for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) {
      progress(`search: indexing ${site.project}`);
      const home = await unpacked(site);
      html += pagesBelow(home).reduce((sum, path) => sum + statSync(join(home, path)).size, 0);
      await run(
        process.execPath,
        [...process.execArgv, BUILD_SITE, mainOfBuild(), directory, site.project],
        ROOT,
      );
      databases.set(site.project, databaseOf(directory, site.project));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, build));
  const bytes = [...databases.values()].reduce((sum, file) => sum + statSync(file).size, 0);
  return {
    databases,
    row: {
      what: `index of ${databases.size} sites on disk`,
      against: 'their HTML',
      unit: '×',
      values: [bytes / html],
      target: { atMost: 0.2 },
      detail: `${megabytes(bytes)} / ${megabytes(html)}`,
    },
  };
}
