/**
 * A process that searches the database `good` of a directory, then may have 64 open files, and searches `count` copies of it: it says
 * what it found each time, and which files it has open in the end.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { openFilesBelow } from '../support/open-files.js';

const [directory = '', count = ''] = process.argv.slice(2);
const index = new SqliteSearchIndex({ fileOf: (revision) => join(directory, `${revision}.db`) });
const revisions = Array.from({ length: Number(count) }, (_, at) => `copy${at}`);
const live = revisions.map((revision) => ({ revision, project: 'p' }));
// Only now: Node opens more than 64 modules at once.
await index.search('mango', [{ revision: 'good', project: 'p' }], { limit: 1 });
execFileSync('prlimit', [`--pid=${process.pid}`, '--nofile=64:64']);
const found: (readonly [results: number, missing: number])[] = [];
for (const query of ['mango', 'pgae 7', '"word0 word13"', 'mango']) {
  const { results, missing } = await index.search(query, live, { limit: 10 });
  found.push([results.length, missing.length]);
}
await index.close();
console.log(JSON.stringify({ found, open: await openFilesBelow(directory) }));
