/**
 * All measurements, one after the other: the most telling rows go into README.md, all of them into docs/performance.md.
 *
 *     node --import tsx bench/run.ts
 */
import { fileURLToPath } from 'node:url';
import { behindNginx } from './behind-nginx.js';
import { downloads } from './downloads.js';
import { encodings } from './encodings.js';
import { listing } from './listing.js';
import { pages } from './pages.js';
import { publish } from './publish.js';
import { readersDuringUploads } from './readers-during-uploads.js';
import { start } from './start.js';
import { measuredDisk } from './support/disk.js';
import { headlinesOf, writeInto } from './support/documents.js';
import { describeMachine, endAfter, requirePrograms } from './support/machine.js';
import { ROUNDS } from './support/script.js';
import { asMarkdown, type Section } from './support/table.js';

const MOST_MINUTES = 17;
const at = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

requirePrograms('wrk', 'nginx', 'taskset', 'zip', 'unzip');
endAfter(MOST_MINUTES);
const introduction = `Measured with \`npm run bench\` on: ${describeMachine()} · writing to ${measuredDisk().description}. Median, least and greatest of ${ROUNDS} or more values; \`×\` is Lectern's value divided by the other's of the same round, so only it means anything elsewhere.`;
const sections: Section[] = [];
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
  const section = await measure();
  sections.push(section);
  // After each part: what was measured must not be lost with what comes later.
  console.log(asMarkdown(section));
}
writeInto(at('README.md'), `${introduction}\n\n${headlinesOf(sections)}`);
writeInto(at('docs/performance.md'), `${introduction}\n\n${sections.map(asMarkdown).join('\n')}`);
process.exit(0);
