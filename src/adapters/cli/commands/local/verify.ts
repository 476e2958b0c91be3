import type { Check } from '../../../../application/index.js';
import { counted, visible } from '../../../../domain/index.js';
import { EXIT } from '../../exit-codes.js';
import type { Storage } from '../../options/serve-places.js';
import { printSteps, type Terminal } from '../../terminal.js';

export interface VerifyRequest {
  readonly storage: Storage;
  readonly repair: boolean;
}

/**
 * Prints everything that differs, with a progress bar on a terminal.
 * @returns 0 when none differs or all were repaired, else 1
 */
export async function reportChecks(checks: AsyncIterable<Check>, terminal: Terminal): Promise<number> {
  const counts = { total: 0, differed: 0, repaired: 0 };
  await printSteps(checks, terminal, 'checked', ({ name, total, faults, isRepaired }) => {
    counts.total = total;
    if (faults.length === 0) return [];
    counts.differed += 1;
    if (isRepaired) counts.repaired += 1;
    const outcome = isRepaired ? 'repaired; it differed' : 'differs';
    return [`${visible(name)}: ${outcome}\n`, ...faults.map((fault) => `  ${visible(fault)}\n`)];
  });
  terminal.out.write(
    `${counted(counts.total, 'version')} checked, ${counts.differed} differed, ${counts.repaired} repaired\n`,
  );
  return counts.differed === counts.repaired ? EXIT.done : EXIT.refused;
}
