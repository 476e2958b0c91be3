/**
 * Builds databases of sites: `build-sites.ts <directory> <project>,… [<left out>…]`, each left out as a regular expression of
 * `<project>/<path>`. It is a program, so that several sites are built at once.
 */
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { databaseOf } from './databases.js';
import { JUDGED_SITES } from './sites.js';
import { siteIn, unpacked } from './unpack.js';

const [directory = '', projects = '', ...patterns] = process.argv.slice(2);
const leftOut = patterns.map((pattern) => new RegExp(pattern));
const index = new SqliteSearchIndex({ fileOf: (revision) => databaseOf(directory, revision) });
for (const project of projects.split(',')) {
  const site = JUDGED_SITES.find((each) => each.project === project);
  if (site === undefined) throw new Error(`there is no site ${project}`);
  const isLeftOut = (path: string) => leftOut.some((pattern) => pattern.test(`${project}/${path}`));
  await index.build(project, siteIn(await unpacked(site), isLeftOut));
}
await index.close();
