import { createContext, runInContext } from 'node:vm';

/** Only what costs the square of its input takes so long, on the slowest machine too. */
const MAX_MS = 60_000;

/** Runs work that is synchronous, and fails when it takes a minute: it is interrupted then, wherever it is. */
export function assertEnds(work: () => void): void {
  runInContext('work()', createContext({ work }), { timeout: MAX_MS });
}
