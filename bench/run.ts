/**
 * All measurements, one after the other, as one Markdown document; the most telling rows go into README.md.
 *
 *     node --import tsx bench/run.ts [file to write the document to]
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { behindNginx } from './behind-nginx.js';
import { downloads } from './downloads.js';
import { encodings } from './encodings.js';
import { listing } from './listing.js';
import { pages } from './pages.js';
import { publish } from './publish.js';
import { readersDuringUploads } from './readers-during-uploads.js';
import { start } from './start.js';
import { describeMachine, endAfter, requirePrograms } from './support/machine.js';
import { writeIntoReadme } from './support/readme.js';
import { ROUNDS } from './support/script.js';
import { asMarkdown, type Section } from './support/table.js';

const MOST_MINUTES = 15;
const README = fileURLToPath(new URL('../README.md', import.meta.url));

requirePrograms('wrk', 'nginx', 'taskset', 'zip', 'unzip');
endAfter(MOST_MINUTES);
const machine = describeMachine();
const introduction = `Measured with \`npm run bench\` on: ${machine}. Median, least and greatest of ${ROUNDS} or more values; \`×\` is Lectern's value divided by the other's of the same round, so only it means anything elsewhere.`;
const parts = [`${introduction}\n`];
const sections: Section[] = [];
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
  const section = await measure();
  sections.push(section);
  parts.push(asMarkdown(section));
  // After each part: what was measured must not be lost with what comes later.
  if (file !== undefined) writeFileSync(file, parts.join('\n'));
}
writeIntoReadme(README, introduction, sections);
console.log(parts.join('\n'));
process.exit(0);
