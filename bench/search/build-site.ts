/** Indexes one of the judged sites: `build-site.ts <dist/main.js> <directory> <project>`. A program, so that several run at once. */
import { databaseOf } from '../../test/judged/databases.js';
import { JUDGED_SITES } from '../../test/judged/sites.js';
import { siteIn, unpacked } from '../../test/judged/unpack.js';
import { moduleOfBuild } from '../support/builds.js';

const [main, directory = '', project = ''] = process.argv.slice(2);
const { SqliteSearchIndex } = await moduleOfBuild('adapters/search/index.js', main);
const index = new SqliteSearchIndex({ fileOf: (revision) => databaseOf(directory, revision) });
const site = JUDGED_SITES.find((each) => each.project === project);
if (site === undefined) throw new Error(`there is no site ${project}`);
await index.build(project, siteIn(await unpacked(site)));
await index.close();
