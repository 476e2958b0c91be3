import { within } from '../../../application/index.js';
import { unavailable } from '../errors.js';

/** Time that a request waits for work on all pages of a version, in milliseconds. The work goes on after that. */
const MAX_WAIT_MS = 8_000;

/**
 * Returns the result of work for which a reader waits.
 * @param name of the work, such as `The comparison of two versions`
 * @throws HttpFault `unavailable` when the work takes longer than a reader waits
 */
export async function inTime<T>(name: string, work: Promise<T>): Promise<T> {
  const done = await within(
    MAX_WAIT_MS,
    work.then((result) => ({ result })),
  );
  if (done !== undefined) return done.result;
  throw unavailable(`${name} is not finished yet; try again in a few seconds`);
}
