import { rmSync } from 'node:fs';
import { alternating, median } from '../support/numbers.js';
import { forgetPeak, memoryOf } from '../support/processes.js';
import { progress, ROUNDS } from '../support/script.js';
import type { Row } from '../support/table.js';
import { CHECKS, packedSite, startIdle } from './sites.js';

/** Max. memory for links, in MB. */
const MAX_MEMORY = 60;

/** Memory of the server during an upload of a large site. */
export async function memoryRows(): Promise<Row[]> {
  const { project, archive, pages, megabytes } = await packedSite('python');
  const peakOf = async (args: readonly string[]) => {
    const lectern = await startIdle(['--search', 'off', ...args]);
    forgetPeak(lectern.pid);
    await lectern.publish({ name: `${project}-1.0-docs.zip`, archive });
    const { peak } = memoryOf(lectern.pid);
    progress(`links: memory ${args.join(' ')}: ${peak.toFixed(0)} MB`);
    await lectern.stop();
    rmSync(lectern.docs, { recursive: true });
    return peak;
  };
  const peaks = await alternating(ROUNDS, {
    with: () => peakOf(CHECKS.with),
    without: () => peakOf(CHECKS.without),
  });
  return [
    {
      what: `memory for links of ${project}, ${pages.toLocaleString('en')} pages, ${megabytes.toFixed(0)} MB, during the upload`,
      against: '',
      unit: 'MB',
      values: peaks.with.map((peak, round) => peak - (peaks.without[round] ?? Number.NaN)),
      target: { atMost: MAX_MEMORY },
      detail: `${median(peaks.with).toFixed(0)} MB / ${median(peaks.without).toFixed(0)} MB`,
    },
  ];
}
