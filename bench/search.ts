/**
 * Search: what a version costs until it is found, and what a search costs in a large library.
 *
 *     npm run build && node --import tsx bench/search.ts [indexing] [many-sites] [searching] [side-by-side]
 *
 * Without a word: all. `searching` takes the 32 sites of `test/judged/sites.ts`, 1.5 GB that are downloaded the first
 * time, and indexes them first, which takes a minute or two.
 */

import { indexSites } from './search/indexed-sites.js';
import { indexingRows } from './search/indexing.js';
import { judgedRows } from './search/judged.js';
import { manySitesRows } from './search/many-sites.js';
import { searchingRows } from './search/searching.js';
import { REAL_SITES, sideBySideRows } from './search/side-by-side.js';
import { requirePrograms } from './support/machine.js';
import { ROUNDS, SETTLING_MS, whenRunAlone } from './support/script.js';
import type { Row, Section } from './support/table.js';

const PARTS = process.argv.slice(2);
const isWanted = (part: string) => PARTS.length === 0 || PARTS.includes(part);

export async function search(): Promise<Section> {
  requirePrograms('wrk', 'taskset', 'zip', 'sync');
  const rows: Row[] = [];
  if (isWanted('indexing')) rows.push(...(await indexingRows()));
  if (isWanted('many-sites')) rows.push(...(await manySitesRows()));
  if (isWanted('searching') || isWanted('side-by-side')) {
    const { row, databases } = await indexSites(isWanted('searching') ? undefined : REAL_SITES);
    if (isWanted('searching'))
      rows.push(row, ...(await judgedRows(databases)), ...(await searchingRows(databases)));
    rows.push(...(await sideBySideRows(databases)));
  }
  return {
    title: 'Search',
    note: `${ROUNDS} rounds, alternating where two are compared. "Findable": from the answer to an upload to the first search that gives the new version. Readers: a 6 KB page over 32 connections, a core for wrk, both for the server. Searches over HTTP, one after the other, in 200 projects made of 32 sites of Debian's packages, after a round that does not count; "as one types": every beginning of a query from two letters on. Memory ${SETTLING_MS / 1000} s after the start, and at most while searching.`,
    rows,
  };
}

await whenRunAlone(import.meta.url, search, 30);
