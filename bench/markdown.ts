/**
 * Markdown of pages: pages for each second of processor time, with and without targets of links, and the memory that takes.
 *
 *     npm run build && node --import tsx bench/markdown.ts [small medium large]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { samplePaths } from '../src/formats/html/index.js';
import { ROOT } from '../test/support/root.js';
import { CORPUS_SIZES, type CorpusSize, corpus } from './corpus.js';
import { mainOfBuild, moduleOfBuild } from './support/builds.js';
import { alternating, median, secondsFor } from './support/numbers.js';
import { forgetPeak, memoryOf, run } from './support/processes.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import { megabytes, type Row, type Section } from './support/table.js';

/** Pages a second on one core that converting has to reach, for the sites that have a target. */
const WANTED: Readonly<Partial<Record<CorpusSize, Row['target']>>> = { large: { atLeast: 200 } };
/** Max. pages in memory while they are measured. A larger site is sampled evenly. */
const MOST_PAGES = 2_500;
/** Max. memory that converting may take beside the pages, in MB. */
const MOST_MEMORY = { atMost: 300 };

export async function convertingPages(sizes: readonly CorpusSize[] = CORPUS_SIZES): Promise<Section> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await measured(size)));
  return {
    title: 'Markdown of pages',
    note: `One process, one core, pages in memory; processor time, garbage collection included. ${ROUNDS} alternating rounds after a first one that does not count.`,
    rows,
  };
}

async function measured(size: CorpusSize): Promise<Row[]> {
  const { project } = await corpus(size);
  const pages = await pagesOf(size);
  const bytes = pages.reduce((sum, page) => sum + page.length, 0);
  progress(`Markdown: ${project}, ${pages.length} pages, ${megabytes(bytes)}`);
  const { linked, plain } = await convertersOf(mainOfBuild());
  linked(pages);
  plain(pages);
  const seconds = await alternating(ROUNDS, {
    linked: async () => linked(pages),
    plain: async () => plain(pages),
    // In a process of its own: one that has converted before keeps the memory.
    memory: () => {
      const program = [fileURLToPath(import.meta.url), 'memory', size, mainOfBuild()];
      return run(process.execPath, [...process.execArgv, ...program], ROOT);
    },
  });
  const target = WANTED[size];
  const row = (what: string, each: readonly number[]): Row => ({
    what: `${project}: pages ${what}`,
    against: '',
    unit: '/s',
    values: each.map((all) => pages.length / all),
    ...(target === undefined ? {} : { target }),
    detail: `${megabytes(bytes / median(each))}/s`,
  });
  return [
    row('with targets of links', seconds.linked),
    row('without them', seconds.plain),
    {
      what: `${project}: memory beside the pages, at most`,
      against: '',
      unit: 'MB',
      values: seconds.memory.map(Number),
      target: MOST_MEMORY,
    },
  ];
}

async function pagesOf(size: CorpusSize): Promise<Buffer[]> {
  const { directory } = await corpus(size);
  const paths = readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.html'));
  return samplePaths(paths, MOST_PAGES).map((path) => readFileSync(join(directory, path)));
}

/** Seconds of processor time for all pages, with and without targets of links. */
async function convertersOf(main: string) {
  const { markdownOf, markdownTarget } = await moduleOfBuild('formats/html/index.js', main);
  return {
    linked: (pages: readonly Buffer[]) =>
      secondsFor(pages, (page) => markdownOf(page, { linkTarget: markdownTarget })),
    plain: (pages: readonly Buffer[]) => secondsFor(pages, (page) => markdownOf(page)),
  };
}

/** Memory in MB that this process takes beside the pages while it converts them. */
async function memoryBeside(size: CorpusSize, main: string): Promise<number> {
  const pages = await pagesOf(size);
  const { linked, plain } = await convertersOf(main);
  forgetPeak(process.pid);
  const before = memoryOf(process.pid).now;
  linked(pages);
  plain(pages);
  return memoryOf(process.pid).peak - before;
}

const words = process.argv.slice(2);
const sizes = CORPUS_SIZES.filter((size) => words.includes(size));
const [job, , main] = words;
if (job === 'memory') for (const size of sizes) console.log(await memoryBeside(size, main ?? mainOfBuild()));
else await whenRunAlone(import.meta.url, () => convertingPages(sizes.length > 0 ? sizes : CORPUS_SIZES));
