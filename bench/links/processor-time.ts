import { rmSync } from 'node:fs';
import { alternating, median, ratios } from '../support/numbers.js';
import { processorTimeWithEnded } from '../support/processes.js';
import { progress, ROUNDS } from '../support/script.js';
import type { Row } from '../support/table.js';
import { CHECKS, type PackedSite, packedSite, startIdle, untilRead } from './sites.js';

const SITES = ['fltk', 'csound', 'sqlalchemy', 'python'];
/** Max. processor time for links, divided by that of everything else. */
const MAX_SHARE = 0.15;

export async function processorRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const project of SITES) {
    const site = await packedSite(project);
    const values = await alternating(ROUNDS, {
      with: () => processorTimeOfUpload(site, CHECKS.with),
      without: () => processorTimeOfUpload(site, CHECKS.without),
    });
    const without = median(values.without);
    const { pages, megabytes } = site;
    rows.push({
      what: `processor time for links of ${project}, ${pages.toLocaleString('en')} pages, ${megabytes.toFixed(0)} MB`,
      against: 'upload and index',
      unit: '×',
      values: ratios(values.with, values.without).map((ratio) => ratio - 1),
      target: { atMost: MAX_SHARE },
      detail: `${median(values.with).toFixed(0)} ms / ${without.toFixed(0)} ms, ${((median(values.with) - without) / megabytes).toFixed(1)} ms for each MB`,
    });
  }
  return rows;
}

async function processorTimeOfUpload(site: PackedSite, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const lectern = await startIdle(['--search', 'all', ...args]);
  const before = processorTimeWithEnded(lectern.pid);
  await lectern.publish({ name: `${site.project}-1.0-docs.zip`, archive: site.archive });
  await untilRead(lectern, startedAt);
  const milliseconds = processorTimeWithEnded(lectern.pid) - before;
  progress(`links: ${site.project} ${args.join(' ')}: ${milliseconds} ms`);
  await lectern.stop();
  rmSync(lectern.docs, { recursive: true });
  return milliseconds;
}
