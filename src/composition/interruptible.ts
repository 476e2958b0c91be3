import { rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { StartError, startError } from '../adapters/cli/index.js';
import { temporaryDirectory } from '../adapters/filesystem/index.js';

/** A command's surroundings while it works. */
export interface Workplace {
  /** Temporary directory, removed when the work ends. */
  readonly directory: string;
  /** Aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/**
 * Does work that SIGINT and SIGTERM end early, without leaving temporary files. A second signal ends the process at once.
 * The exit code is then 128 + the signal's number, as that of a shell.
 * @throws StartError when a signal has ended the work, or when there is no temporary directory; what `work` throws
 */
export async function* interruptible<Step>(
  work: (place: Workplace) => AsyncIterable<Step>,
): AsyncGenerator<Step> {
  const controller = new AbortController();
  const { signal } = controller;
  let directory: string | undefined;
  let exitCode = 0;
  const onSignal = (name: NodeJS.Signals) => {
    exitCode = 128 + constants.signals[name];
    if (signal.aborted) process.exit(exitCode);
    controller.abort(new StartError(`stopped by ${name}`));
  };
  const remove = () => {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('exit', remove);
  try {
    directory = temporaryDirectoryOfCommand();
    yield* work({ directory, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    process.once('exit', () => {
      process.exitCode = exitCode;
    });
    throw signal.reason;
  } finally {
    remove();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('exit', remove);
  }
}

/**
 * Makes a temporary directory for a command, which removes it at its end. The next command removes what killed ones left.
 * @throws StartError when it cannot be made
 */
export function temporaryDirectoryOfCommand(): string {
  try {
    return temporaryDirectory(tmpdir());
  } catch (error) {
    throw startError(`the temporary directory ${tmpdir()}`, error);
  }
}
