import { errnoOf } from '../../node/system-errors.js';

/** Whether a write failed because nobody reads from the pipe any more, as in `lectern projects | head -1`. */
export function isClosedPipe(error: unknown): boolean {
  return errnoOf(error) === 'EPIPE';
}

/**
 * Drops output that nobody reads any more. The command does the rest of its work, and ends with the exit code of that: what
 * it says does not decide whether an upload is whole, or a server goes on.
 */
export function dropUnreadOutput(): void {
  for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
}
