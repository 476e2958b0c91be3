/** Builds the database of one site: `build-site.ts <project> <file>`. It is a program, so that several sites are built at once. */
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { JUDGED_SITES } from './sites.js';
import { siteIn, unpacked } from './unpack.js';

const [project, file = ''] = process.argv.slice(2);
const site = JUDGED_SITES.find((each) => each.project === project);
if (site === undefined) throw new Error(`there is no site ${project}`);
await new SqliteSearchIndex({ fileOf: () => file }).build(site.project, siteIn(await unpacked(site)));
