/**
 * Markdown of pages: pages for each second of processor time, with and without targets of links, and the memory that takes.
 *
 *     node --import tsx bench/markdown.ts [small medium large]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownOf, markdownTarget, samplePaths } from '../src/formats/html/index.js';
import { CORPUS_SIZES, type CorpusSize, corpus } from './corpus.js';
import { alternating, median } from './support/numbers.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import { megabytes, type Row, type Section } from './support/table.js';

/** Pages a second on one core that converting has to reach, for the sites that have a target. */
const WANTED: Readonly<Partial<Record<CorpusSize, Row['target']>>> = { large: { atLeast: 200 } };
/** More pages than that are a sample from all over the site: they are kept in memory while they are measured. */
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
  const { project, directory } = await corpus(size);
  const paths = readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.html'));
  const pages = samplePaths(paths, MOST_PAGES).map((path) => readFileSync(join(directory, path)));
  const bytes = pages.reduce((sum, page) => sum + page.length, 0);
  progress(`Markdown: ${project}, ${pages.length} pages, ${megabytes(bytes)}`);
  const before = process.memoryUsage().rss;
  const linked = () => secondsFor(pages, (page) => markdownOf(page, { linkTarget: markdownTarget }).text);
  const plain = () => secondsFor(pages, (page) => markdownOf(page).text);
  linked();
  plain();
  const seconds = await alternating(ROUNDS, { linked: async () => linked(), plain: async () => plain() });
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
      values: [Math.max(0, process.resourceUsage().maxRSS * 1_024 - before) / 1e6],
      target: MOST_MEMORY,
    },
  ];
}

/** Seconds of processor time for all pages. */
function secondsFor(pages: readonly Buffer[], work: (page: Buffer) => void): number {
  const before = process.cpuUsage();
  for (const page of pages) work(page);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const sizes = process.argv
  .slice(2)
  .filter((each): each is CorpusSize => CORPUS_SIZES.some((size) => size === each));
await whenRunAlone(import.meta.url, () => convertingPages(sizes.length > 0 ? sizes : CORPUS_SIZES));
