import { visible } from '../../../domain/index.js';
import { EXIT } from '../exit-codes.js';
import type { Storage } from '../options/serve-places.js';
import { Progress, type Terminal } from '../terminal.js';

export interface VerifyRequest {
  readonly storage: Storage;
  readonly repair: boolean;
}

/** The result of checking one version, or another part of a store. */
export interface Checked {
  readonly name: string;
  readonly done: number;
  readonly total: number;
  readonly faults: readonly string[];
  readonly isRepaired: boolean;
}

/**
 * Prints everything that differs, with a progress bar on a terminal.
 * @returns 0 when none differs or all were repaired, else 1
 */
export async function reportChecks(checks: AsyncIterable<Checked>, terminal: Terminal): Promise<number> {
  const counts = { total: 0, differed: 0, repaired: 0 };
  const progress = new Progress(terminal, 'checked', String, Number.POSITIVE_INFINITY);
  try {
    for await (const { name, done, total, faults, isRepaired } of checks) {
      counts.total = total;
      if (faults.length > 0) {
        progress.end();
        counts.differed += 1;
        if (isRepaired) counts.repaired += 1;
        const outcome = isRepaired ? 'repaired; it differed' : 'differs';
        terminal.out.write(`${visible(name)}: ${outcome}\n`);
        for (const fault of faults) terminal.out.write(`  ${visible(fault)}\n`);
      }
      progress.show(done, total);
    }
  } finally {
    progress.end();
  }
  const versions = counts.total === 1 ? 'version' : 'versions';
  terminal.out.write(
    `${counts.total} ${versions} checked, ${counts.differed} differed, ${counts.repaired} repaired\n`,
  );
  return counts.differed === counts.repaired ? EXIT.done : EXIT.refused;
}
