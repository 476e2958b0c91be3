import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JUDGED_SITES } from '../../test/judged/sites.js';
import { unpacked } from '../../test/judged/unpack.js';
import { zipOf } from '../../test/support/zip-writer.js';
import { type Lectern, startLectern } from '../support/lectern.js';
import { projectName } from '../support/library.js';
import { alternating, milliseconds } from '../support/numbers.js';
import { ask } from '../support/requests.js';
import { progress, ROUNDS } from '../support/script.js';
import type { Row } from '../support/table.js';
import { temporaryDirectory } from '../support/temporary.js';

/** Max. time from the answer to the last upload until all small sites are found, in milliseconds, by their number. */
const FINDABLE_MS = { 100: 10_000, 1000: 90_000 } as const;
const PAGES = ['install', 'configure', 'connect', 'retry', 'deploy', 'upgrade'];
const POLL_MS = 50;

/** Many sites that are to be indexed one after the other. */
export async function manySitesRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [sites, atMost] of Object.entries(FINDABLE_MS))
    rows.push(await smallSites(Number(sites), atMost));
  return [...rows, await realSites()];
}

async function smallSites(sites: number, atMost: number): Promise<Row> {
  const archive = join(temporaryDirectory('small-site'), 'site.zip');
  const published = async () => {
    const lectern = await startLectern();
    progress(`search: ${sites} small sites`);
    for (let site = 0; site < sites; site += 1) {
      const name = projectName(site);
      writeFileSync(
        archive,
        zipOf(Object.fromEntries(PAGES.map((page) => [`${page}.html`, pageOf(page, name)]))),
      );
      await lectern.publish({ name: `${name}-1.0.0-docs.zip`, archive });
    }
    const ms = await milliseconds(() => untilAllFound(lectern));
    await lectern.stop();
    return ms;
  };
  const { values } = await alternating(ROUNDS, { values: published });
  return {
    what: `${sites.toLocaleString('en')} sites of ${PAGES.length} pages, all found after the last upload`,
    against: '',
    unit: 'ms',
    values,
    target: { atMost },
  };
}

function pageOf(page: string, project: string): string {
  return `<title>${page} of ${project}</title><h1>${page}</h1><p>How to ${page} the client of ${project}, its connection pool and its retry budget.</p>`;
}

/** The judged sites, as copied-in directories that a server finds at its start. */
async function realSites(): Promise<Row> {
  const docs = join(temporaryDirectory('many-sites'), 'docs');
  mkdirSync(docs, { recursive: true });
  for (const site of JUDGED_SITES) {
    const target = join(docs, `${site.project}-1.0.0`);
    // Debian's links into other packages lead nowhere here.
    cpSync(await unpacked(site), target, { recursive: true, dereference: true, filter: existsSync });
  }
  const indexed = async () => {
    progress(`search: ${JUDGED_SITES.length} sites from nothing`);
    rmSync(join(docs, '.lectern'), { recursive: true, force: true });
    const lectern = await startLectern({ docs });
    const ms = await milliseconds(() => untilAllFound(lectern));
    await lectern.stop();
    return ms;
  };
  const what = `${JUDGED_SITES.length} real sites, all found after the start`;
  const { values } = await alternating(ROUNDS, { values: indexed });
  return { what, against: '', unit: 'ms', values };
}

async function untilAllFound({ origin }: Lectern): Promise<void> {
  for (;;) {
    const { status, body } = await ask(`${origin}/api/search?q=install&limit=1`);
    const { indexing, results } = JSON.parse(body.toString());
    if (status === 200 && indexing === 0 && results.length > 0) return;
    await sleep(POLL_MS);
  }
}
