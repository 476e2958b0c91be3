/**
 * Looking up redirects: 10,000 rules, five times as many as a site may have.
 *
 *     npm run build && node --import tsx bench/redirects.ts
 */
import type { PageAddress } from '../src/domain/index.js';
import { moduleOfBuild } from './support/builds.js';
import { alternating, milliseconds } from './support/numbers.js';
import { ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';

const RULES = 10_000;
const LOOKUPS = 100_000;
/** Microseconds for a lookup. */
const MAX_MICROSECONDS = 50;

export async function redirects(): Promise<Section> {
  const { PageAddress, parseRedirects } = await moduleOfBuild('domain/index.js');
  const pageOf = (url: string): PageAddress => {
    const page = PageAddress.fromUrl(url);
    if (page === undefined) throw new Error(`no page: ${url}`);
    return page;
  };
  // Eight of ten rules name a page, one has a placeholder, one a splat.
  const lines = Array.from({ length: RULES }, (_, index) => {
    const directory = `/part-${index % 100}/chapter-${index}`;
    if (index % 10 === 8) return `${directory}/:page /new${directory}/:page`;
    if (index % 10 === 9) return `${directory}/* /new${directory}/:splat`;
    return `${directory}.html /new${directory}.html`;
  });
  const text = lines.join('\n');
  const table = parseRedirects(text, RULES);
  const pages = lines.map((_, index) => pageOf(`part-${index % 100}/chapter-${index}/page.html`));
  const moved = lines.map((_, index) => pageOf(`new/part-${index % 100}/chapter-${index}.html`));
  return {
    title: 'Redirects',
    note: `${RULES.toLocaleString('en')} rules, one process, in memory. ${LOOKUPS.toLocaleString('en')} lookups in each round.`,
    rows: [
      {
        what: 'where a page has moved to',
        against: '',
        unit: 'µs',
        values: await timed(pages, (page) => table.from(page)),
        target: { atMost: MAX_MICROSECONDS },
      },
      {
        what: 'where a page has come from',
        against: '',
        unit: 'µs',
        values: await timed(moved, (page) => table.to(page)),
        target: { atMost: MAX_MICROSECONDS },
      },
      {
        what: 'reading the file',
        against: '',
        unit: 'ms',
        values: await rounds(() => parseRedirects(text, RULES)),
      },
    ],
  };
}

/** Microseconds for a lookup, in each round. */
async function timed(
  pages: readonly PageAddress[],
  lookUp: (page: PageAddress) => unknown,
): Promise<number[]> {
  const all = () => {
    for (let done = 0; done < LOOKUPS; done += pages.length) pages.forEach(lookUp);
  };
  return (await rounds(all)).map((ms) => (ms * 1_000) / LOOKUPS);
}

/** Milliseconds of each round, after one that does not count. */
async function rounds(work: () => void): Promise<number[]> {
  work();
  return (await alternating(ROUNDS, { values: () => milliseconds(async () => work()) })).values;
}

await whenRunAlone(import.meta.url, redirects);
