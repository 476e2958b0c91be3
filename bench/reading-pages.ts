/**
 * Reading pages: their text and sections, compared with htmlparser2 alone, which only parses.
 *
 *     npm run build && node --import tsx bench/reading-pages.ts [small medium large]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { samplePaths } from '../src/formats/html/index.js';
import { CORPUS_SIZES, type CorpusSize, corpus } from './corpus.js';
import { moduleOfBuild } from './support/builds.js';
import { alternating, median, ratios, secondsFor } from './support/numbers.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import { megabytes, perSecond, type Row, type Section } from './support/table.js';

/** Pages a second on one core that reading has to reach, for the sites that have a target. */
const WANTED: Readonly<Partial<Record<CorpusSize, Row['target']>>> = { large: { atLeast: 850 } };
/** Max. pages in memory while they are measured. A larger site is sampled evenly. */
const MOST_PAGES = 2_500;

interface Page {
  readonly path: string;
  readonly bytes: Buffer;
}

export async function readingPages(sizes: readonly CorpusSize[] = CORPUS_SIZES): Promise<Section> {
  const rows: Row[] = [];
  for (const size of sizes) rows.push(...(await measured(size)));
  return {
    title: 'Reading pages',
    note: `One process, one core, pages in memory; processor time, garbage collection included. ${ROUNDS} alternating rounds after a first one that does not count. Sites of more than ${MOST_PAGES.toLocaleString('en')} pages are measured by as many of them.`,
    rows,
  };
}

async function measured(size: CorpusSize): Promise<Row[]> {
  const { project, directory } = await corpus(size);
  const pages = pagesOf(directory);
  const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
  progress(`reading pages: ${project}, ${pages.length} pages, ${megabytes(bytes)}`);
  const { readPage, siteConventions } = await moduleOfBuild('formats/html/index.js');
  const conventions = siteConventions(
    samplePaths(pages.map(({ path }) => path)).map((path) =>
      readPage(readFileSync(join(directory, path)), { path }),
    ),
  );
  const read = () => secondsFor(pages, ({ path, bytes }) => readPage(bytes, { path, conventions }));
  const parse = () => secondsFor(pages, ({ bytes }) => parseOnly(bytes));
  read();
  parse();
  const seconds = await alternating(ROUNDS, { read: async () => read(), parse: async () => parse() });
  const perPage = seconds.read.map((each) => pages.length / each);
  return [
    {
      what: `${project}: pages read`,
      against: '',
      unit: '/s',
      values: perPage,
      ...(WANTED[size] === undefined ? {} : { target: WANTED[size] }),
      detail: `${megabytes(bytes / median(seconds.read))}/s`,
    },
    {
      what: `${project}: time to read`,
      against: 'htmlparser2, text only',
      unit: '×',
      values: ratios(seconds.read, seconds.parse),
      own: [{ what: 'processor time', unit: 'ms', values: seconds.read.map((all) => 1_000 * all) }],
      detail: `parser alone: ${perSecond(pages.length / median(seconds.parse))}, ${megabytes(bytes / median(seconds.parse))}/s`,
    },
  ];
}

function pagesOf(directory: string): Page[] {
  const paths = readdirSync(directory, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.html'));
  return samplePaths(paths, MOST_PAGES).map((path) => ({ path, bytes: readFileSync(join(directory, path)) }));
}

/** The least that a reader of pages can do: all text, without the names of the elements around it. */
function parseOnly(bytes: Buffer): number {
  let length = 0;
  const parser = new Parser({
    onopentag() {},
    ontext(text) {
      length += text.length;
    },
  });
  parser.end(bytes.toString());
  return length;
}

const sizes = CORPUS_SIZES.filter((size) => process.argv.includes(size));
await whenRunAlone(import.meta.url, () => readingPages(sizes.length > 0 ? sizes : CORPUS_SIZES));
