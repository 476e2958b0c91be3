/**
 * Looking up redirects: 10,000 rules, five times as many as a site may have.
 *
 *     node --import tsx bench/redirects.ts
 */
import { PageAddress, parseRedirects } from '../src/domain/index.js';
import { ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';

const RULES = 10_000;
const LOOKUPS = 100_000;
/** Microseconds for a lookup. */
const MAX_MICROSECONDS = 50;

export async function redirects(): Promise<Section> {
  // Of ten rules, eight name a page, one has a placeholder, one a splat.
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
        values: timed(pages, (page) => table.from(page)),
        target: { atMost: MAX_MICROSECONDS },
      },
      {
        what: 'where a page has come from',
        against: '',
        unit: 'µs',
        values: timed(moved, (page) => table.to(page)),
        target: { atMost: MAX_MICROSECONDS },
      },
      {
        what: 'reading the file',
        against: '',
        unit: 'ms',
        values: rounds(() => parseRedirects(text, RULES)),
      },
    ],
  };
}

function pageOf(url: string): PageAddress {
  const page = PageAddress.fromUrl(url);
  if (page === undefined) throw new Error(`no page: ${url}`);
  return page;
}

/** Microseconds for a lookup, in each round. */
function timed(pages: readonly PageAddress[], lookUp: (page: PageAddress) => unknown): number[] {
  const all = () => {
    for (let done = 0; done < LOOKUPS; done += pages.length) pages.forEach(lookUp);
  };
  return rounds(all).map((milliseconds) => (milliseconds * 1_000) / LOOKUPS);
}

/** Milliseconds of each round, after one that does not count. */
function rounds(work: () => void): number[] {
  work();
  return Array.from({ length: ROUNDS }, () => {
    const before = performance.now();
    work();
    return performance.now() - before;
  });
}

await whenRunAlone(import.meta.url, redirects);
