import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { skipUnless } from './needs.js';

/** The library that `faketime` preloads; the program itself would stand between a test and its server. */
const library = await promisify(execFile)('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD']).then(
  ({ stdout }) => stdout.trim(),
  () => undefined,
);

/** For the `skip` of tests that need a wrong clock. */
export const needsFaketime = skipUnless(library !== undefined, 'there is no faketime here');

/**
 * The environment of a process whose clock is wrong.
 * @param clock as `faketime -f` takes it: `+1y` is a year ahead, `-3y x120` three years behind and two minutes in each
 *   second, for timers and the monotonic clock as well
 */
export function wrongClock(clock: string): NodeJS.ProcessEnv {
  return { LD_PRELOAD: library, FAKETIME: clock };
}
