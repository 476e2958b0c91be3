import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a command runs here and succeeds. */
export async function succeeds(command: string, ...args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(command, args).then(
    () => true,
    () => false,
  );
}

/**
 * For the `skip` of a test that needs something of the machine. With `CI` set nothing is skipped: there the test
 * fails for the want of it.
 */
export function skipUnless(
  isThere: boolean,
  reason: string,
): { readonly skip: string } | Record<never, never> {
  return isThere || process.env.CI ? {} : { skip: reason };
}
