import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { JUDGED } from '../../test/judged/judge.js';
import { siteOf } from '../../test/support/searchable-site.js';
import { moduleOfBuild } from '../support/builds.js';
import { startLectern } from '../support/lectern.js';
import { alternating } from '../support/numbers.js';
import { processorTimeOf } from '../support/processes.js';
import { ask } from '../support/requests.js';
import { progress, ROUNDS } from '../support/script.js';
import { type Row, ratioRow } from '../support/table.js';
import { temporaryDirectory } from '../support/temporary.js';
import { writeIndexedLibrary } from './indexed-library.js';

/** The larger sites: what an engineer has open in a day. */
export const REAL_SITES = [
  ...['click', 'django', 'eigen', 'flask', 'git', 'jinja2', 'mkdocs', 'nodejs', 'postgres'],
  ...['pytest', 'python', 'requests', 'sphinx', 'sqlalchemy', 'sqlite'],
];
const SMALL = 60;
const CLIENTS = 8;
const JUDGED_QUERIES = [...JUDGED.three, ...JUDGED.all, ...JUDGED.holdOut].map(({ query }) => query);
/** Each with the first word of the next one, so that few pages have all words. */
const QUERIES = JUDGED_QUERIES.map((query, at) => `${query} ${JUDGED_QUERIES.at(at - 1)?.split(' ')[0]}`);

/** Searches in 15 real and 60 small sites: processor time, and how many are answered by one and by eight clients. */
export async function sideBySideRows(databases: ReadonlyMap<string, string>): Promise<Row[]> {
  progress('search: side by side');
  const docs = join(temporaryDirectory('side-by-side'), 'docs');
  const real = REAL_SITES.map((project) => databases.get(project) ?? '');
  await writeIndexedLibrary(docs, [...real, ...(await smallDatabases())]);
  const lectern = await startLectern({ docs });
  // No question is asked twice with the same limit, since an answer is kept. More than 20 would read twice as many pages.
  let limit = 21;
  const searched = async (clients: number) => {
    limit -= 1;
    const waiting = [...QUERIES];
    const startedAt = performance.now();
    const client = async () => {
      for (let query = waiting.pop(); query !== undefined; query = waiting.pop()) {
        const url = `${lectern.origin}/api/search?limit=${limit}&q=${encodeURIComponent(query)}`;
        const { status, body } = await ask(url);
        if (status !== 200) throw new Error(`${url}: ${status} ${body}`);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    return (1_000 * QUERIES.length) / (performance.now() - startedAt);
  };
  await searched(CLIENTS);
  const measured = await alternating(ROUNDS, {
    alone: async () => {
      const before = processorTimeOf(lectern.pid);
      const rate = await searched(1);
      return { rate, time: (processorTimeOf(lectern.pid) - before) / QUERIES.length };
    },
    together: () => searched(CLIENTS),
  });
  const alone = measured.alone.map(({ rate }) => rate);
  await lectern.stop();
  const where = `${REAL_SITES.length} real and ${SMALL} small sites`;
  return [
    {
      what: `${where}, processor time of a search`,
      against: '',
      unit: 'ms',
      values: measured.alone.map(({ time }) => time),
      target: { atMost: 25 },
    },
    ratioRow(
      {
        ...{ what: `${where}, ${CLIENTS} clients`, against: 'one client', unit: '/s' },
        target: { atLeast: 1.6 },
        own: [
          { what: 'rate', unit: '/s', values: measured.together },
          { what: 'rate of one client', unit: '/s', values: alone },
        ],
      },
      measured.together,
      alone,
    ),
  ];
}

/** Databases of made-up sites of six pages. */
async function smallDatabases(): Promise<readonly string[]> {
  const directory = temporaryDirectory('small-sites');
  const fileOf = (revision: string) => join(directory, revision, 'search.db');
  const { SqliteSearchIndex } = await moduleOfBuild('adapters/search/index.js');
  const index = new SqliteSearchIndex({ fileOf });
  const revisions = Array.from({ length: SMALL }, (_, at) => `small-${at}`);
  for (const [at, revision] of revisions.entries()) {
    mkdirSync(join(directory, revision), { recursive: true });
    const page = (name: string) =>
      `<title>${name} of service ${at}</title><h1>${name}</h1><p>How to ${name} the client of service ${at}, its connection pool and its retry budget.</p>`;
    const names = ['install', 'configure', 'connect', 'retry', 'deploy', 'upgrade'];
    await index.build(
      revision,
      siteOf(Object.fromEntries(names.map((name) => [`${name}.html`, page(name)]))),
    );
  }
  await index.close();
  return revisions.map(fileOf);
}
