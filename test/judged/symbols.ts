/**
 * Judges whether symbols lead to their definitions: draws some of each builder's sites, and searches for each of them by
 * its full name and by its last two parts in all sites, and by its name alone in its own. It has to lead to its page and anchor.
 *
 *     node --import tsx test/judged/symbols.ts [--seed 1] [--symbols 150] [--directory .corpus/databases] [--others]
 *
 * `--others` prints the symbols that are not first. Databases that the directory has already are not built again.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { ROOT } from '../support/root.js';
import { seeded } from '../support/seeded.js';
import { buildDatabases, databaseOf } from './databases.js';
import { type DrawnSymbol, draw, SYMBOL_SOURCES, symbolsOf } from './drawn-symbols.js';
import { JUDGED_SITES } from './sites.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true, default: ['1'] },
    symbols: { type: 'string', default: '150' },
    directory: { type: 'string', default: join(ROOT, '.corpus', 'databases') },
    others: { type: 'boolean', default: false },
  },
});

mkdirSync(values.directory, { recursive: true });
const unavailable = await buildDatabases(values.directory);
if (unavailable !== undefined) throw new Error(unavailable);
const index = new SqliteSearchIndex({ fileOf: (revision) => databaseOf(values.directory, revision) });
const live = JUDGED_SITES.map(({ project }) => ({ revision: project, project }));

/** Query for a symbol, and the revisions to search in, for each kind of question. */
const QUESTIONS = {
  'full name': ({ parts, separator }: DrawnSymbol) => ({ query: parts.join(separator), among: live }),
  'last two parts': ({ parts, separator }: DrawnSymbol) => ({
    query: parts.slice(-2).join(separator),
    among: live,
  }),
  'name in its project': ({ parts, project }: DrawnSymbol) => ({
    query: parts.at(-1) ?? '',
    among: live.filter((each) => each.project === project),
  }),
};

interface Question {
  readonly query: string;
  readonly among: typeof live;
}

/** Place of the definition among the results, 0 if it is not among the first ten. */
async function placeOf(symbol: DrawnSymbol, { query, among }: Question): Promise<number> {
  const { results } = await index.search(query, among, { limit: 10 });
  return (
    1 +
    results.findIndex(
      ({ revision, path, anchor }) =>
        revision === symbol.project && path === symbol.path && anchor === symbol.anchor,
    )
  );
}

for (const source of SYMBOL_SOURCES) {
  const bySite = await Promise.all(source.projects.map((project) => symbolsOf(source, project)));
  for (const seed of values.seed.map(Number)) {
    const random = seeded(seed);
    const count = Math.ceil(Number(values.symbols) / bySite.length);
    const drawn = bySite.flatMap((symbols) => draw(symbols, count, random));
    const shares: string[] = [];
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      const places: number[] = [];
      const startedAt = process.cpuUsage();
      for (const symbol of drawn) {
        const place = await placeOf(symbol, ask(symbol));
        places.push(place);
        if (values.others && place !== 1) console.log(`  ${ask(symbol).query}: ${place} (${symbol.path})`);
      }
      const used = process.cpuUsage(startedAt).user / 1_000 / drawn.length;
      const share = (most: number) =>
        Math.round((100 * places.filter((place) => place >= 1 && place <= most).length) / drawn.length);
      shares.push(`${name} ${share(1)} % first, ${share(3)} % in three, ${used.toFixed(0)} ms`);
    }
    console.log(`${source.builder}, seed ${seed}, ${drawn.length} symbols: ${shares.join('; ')}`);
  }
}
await index.close();
