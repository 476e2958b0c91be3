import { refuse } from '../../../domain/refusal.js';
import { isAbandoned } from '../../../node/background/job.js';

/**
 * Asserts that jobs are not being aborted. Call it before creating a zlib engine: Node 20 and 24 abort the whole process
 * ("close before init") when a thread ends during that.
 * @throws Refusal `unavailable` once `ZipArchives.giveUp` was called
 */
export function assertNotEnding(): void {
  if (isAbandoned()) throw refuse.closing();
}
