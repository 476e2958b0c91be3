/** The index of a large library in a real browser. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { startLectern } from './support/lectern.js';
import { writeLibrary } from './support/library.js';
import { requirePrograms } from './support/machine.js';
import { alternating } from './support/numbers.js';
import { ask } from './support/requests.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';
import { temporaryDirectory } from './support/temporary.js';

const PROJECTS = 1_000;
const GROUPS = 12;
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Milliseconds from the navigation until everything is loaded and the first rows are painted, and the rows laid out. */
const MEASURE = `(async () => {
  while (performance.getEntriesByName('first-contentful-paint').length === 0) await new Promise(requestAnimationFrame);
  const [painted] = performance.getEntriesByName('first-contentful-paint');
  const [loaded] = performance.getEntriesByType('navigation');
  const names = [...document.querySelectorAll('.project-name')];
  return {
    ms: Math.max(painted.startTime, loaded.loadEventEnd),
    rows: names.length,
    laidOut: names.filter((name) => name.checkVisibility({ contentVisibilityAuto: true })).length,
  };
})()`;

interface Visit {
  readonly ms: number;
  /** Processor time of the page's main thread until then. */
  readonly busyMs: number;
  readonly rows: number;
  readonly laidOut: number;
}

/** Visits a page with an empty cache. */
async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address, { waitUntil: 'load' });
  const measured = await page.evaluate<Omit<Visit, 'busyMs'>>(MEASURE);
  const { metrics } = await devTools.send('Performance.getMetrics');
  const busy = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  await context.close();
  return { ...measured, busyMs: busy * 1_000 };
}

export async function indexPage(): Promise<Section> {
  requirePrograms();
  if (!existsSync(CHROMIUM)) throw new Error(`there is no browser at ${CHROMIUM}`);
  progress(`index: ${PROJECTS} projects`);
  const docs = join(temporaryDirectory('index'), 'docs');
  writeLibrary(docs, PROJECTS, 1, (project) => ({
    group: `Group ${project % GROUPS}`,
    tags: [`tag ${project % 17}`, `tag ${(project * 7) % 23}`],
    owner: `Team ${project % 9}`,
    // The index of their pages would be built meanwhile.
    search: false,
  }));
  const lectern = await startLectern({ docs });
  const weight = (await ask(`${lectern.origin}/`, { headers: { 'Accept-Encoding': 'gzip' } })).body.length;
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  const contenders = {
    visits: async () => {
      const index = await visit(browser, `${lectern.origin}/`);
      if (index.rows !== PROJECTS) throw new Error(`the index has ${index.rows} rows`);
      return index;
    },
    withoutRows: () => visit(browser, `${lectern.origin}/?tag=of%20none`),
  };
  // The first visits start the browser's processes.
  for (const first of Object.values(contenders)) await first();
  const { visits, withoutRows } = await alternating(2 * ROUNDS, contenders);
  await browser.close();
  await lectern.stop();
  return {
    title: 'Index',
    note: `The index of ${PROJECTS.toLocaleString('en')} projects in ${GROUPS} groups, with two tags and an owner each, in Chromium with an empty cache, 1280 by 800 px.`,
    rows: [
      { what: 'size, compressed', against: '', unit: 'KB', values: [weight / 1_000], target: { atMost: 60 } },
      {
        what: 'loaded and painted',
        against: '',
        unit: 'ms',
        values: visits.map(({ ms }) => ms),
        target: { atMost: 200 },
      },
      {
        what: 'loaded and painted, without a row',
        against: '',
        unit: 'ms',
        values: withoutRows.map(({ ms }) => ms),
      },
      {
        what: 'processor time of the main thread',
        against: '',
        unit: 'ms',
        values: visits.map(({ busyMs }) => busyMs),
      },
      {
        what: 'processor time of the main thread, without a row',
        against: '',
        unit: 'ms',
        values: withoutRows.map(({ busyMs }) => busyMs),
      },
      {
        what: 'laid out of 1,000, since in view or near',
        against: '',
        unit: 'rows',
        values: visits.map(({ laidOut }) => laidOut),
        target: { atMost: 40 },
      },
    ],
  };
}

await whenRunAlone(import.meta.url, indexPage);
