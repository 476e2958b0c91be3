/**
 * The main measurements, one after the other; the others run by themselves. Writes them into build/performance.md, unless another
 * build is compared.
 *
 *     node --import tsx bench/run.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { behindNginx } from './behind-nginx.js';
import { downloads } from './downloads.js';
import { indexPage } from './index-page.js';
import { listing } from './listing.js';
import { objectStore } from './object-store.js';
import { pages } from './pages.js';
import { publish } from './publish.js';
import { readersDuringUploads } from './readers-during-uploads.js';
import { start } from './start.js';
import { BEFORE } from './support/builds.js';
import { measuredDisk } from './support/disk.js';
import { describeMachine, endAfter, isInstalled, requirePrograms } from './support/machine.js';
import { ROUNDS, sectionOf } from './support/script.js';
import { asMarkdown, asOneTable, type Section } from './support/table.js';

const MAX_MINUTES = 24;
const at = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

requirePrograms('chromium', 'wrk', 'nginx', 'taskset', 'zip', 'unzip');
endAfter(BEFORE === undefined ? MAX_MINUTES : 2 * MAX_MINUTES);
const introduction = `Measured with \`npm run bench\` on: ${describeMachine()} · writing to ${measuredDisk().description}. Median, min and max of ${ROUNDS} or more rounds. Compare ratios (\`×\`), not absolute numbers: only ratios carry over to other machines.`;
const sections: Section[] = [];
const measures = [start, pages, behindNginx, publish, readersDuringUploads, downloads, listing, indexPage];
const CEPH = ['ceph-mon', 'ceph-osd', 'radosgw'];
if (CEPH.every(isInstalled)) measures.push(objectStore);
else console.error(`bench: no object store is measured: apt-get install -y ${CEPH.join(' ')}`);
for (const measure of measures) {
  const section = await sectionOf(measure);
  sections.push(section);
  // After each part: what was measured must not be lost with what comes later.
  console.log(asMarkdown(section));
}
if (BEFORE === undefined) {
  mkdirSync(at('build'), { recursive: true });
  writeFileSync(at('build/performance.md'), `${introduction}\n\n${asOneTable(sections)}\n`);
}
process.exit(0);
