/**
 * Dead links: processor time and memory for reading and checking them at an upload, against the same build with `--no-link-check`, in
 * turns; and the time until broken links among a thousand projects are known.
 *
 *     npm run build && node --import tsx bench/links.ts [processor] [memory] [house]
 *
 * Without a word: all. Sites come from Debian's packages, which are downloaded the first time.
 */
import { houseRows } from './links/house.js';
import { memoryRows } from './links/memory.js';
import { processorRows } from './links/processor-time.js';
import { requirePrograms } from './support/machine.js';
import { ROUNDS, whenRunAlone } from './support/script.js';
import type { Row, Section } from './support/table.js';

const PARTS = {
  processor: processorRows,
  memory: memoryRows,
  house: houseRows,
};

export async function links(): Promise<Section> {
  requirePrograms('zip');
  const wanted = process.argv.slice(2);
  const rows: Row[] = [];
  for (const [part, rowsOf] of Object.entries(PARTS)) {
    if (wanted.length === 0 || wanted.includes(part)) rows.push(...(await rowsOf()));
  }
  return {
    title: 'Dead links',
    note: `${ROUNDS} alternating rounds, each with a server of its own that has just been started. Processor time is that of the server and of the process that indexes, from the upload with \`--search all\` until all is indexed and links to others are looked up.`,
    rows,
  };
}

await whenRunAlone(import.meta.url, links, 40);
