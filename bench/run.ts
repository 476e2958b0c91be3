/**
 * All measurements, one after the other, as one Markdown document:
 *
 *     node --import tsx bench/run.ts [file to write it to]
 */
import { writeFileSync } from 'node:fs';
import { behindNginx } from './behind-nginx.js';
import { downloads } from './downloads.js';
import { encodings } from './encodings.js';
import { listing } from './listing.js';
import { pages } from './pages.js';
import { publish } from './publish.js';
import { readersDuringUploads } from './readers-during-uploads.js';
import { start } from './start.js';
import { describeMachine, endAfter, requirePrograms } from './support/machine.js';
import { ROUNDS } from './support/script.js';
import { asMarkdown } from './support/table.js';

const MOST_MINUTES = 17;

requirePrograms('wrk', 'nginx', 'taskset', 'zip', 'unzip');
endAfter(MOST_MINUTES);
const machine = describeMachine();
const parts = [
  `Measured with \`npm run bench\` on: ${machine}. Median, least and greatest of ${ROUNDS} or more values; \`×\` is Lectern's value divided by the other's of the same round, so only it means anything elsewhere.\n`,
];
const [file] = process.argv.slice(2);
for (const measure of [
  start,
  pages,
  behindNginx,
  publish,
  readersDuringUploads,
  downloads,
  encodings,
  listing,
]) {
  parts.push(asMarkdown(await measure()));
  // After each part: what was measured must not be lost with what comes later.
  if (file !== undefined) writeFileSync(file, parts.join('\n'));
}
console.log(parts.join('\n'));
process.exit(0);
