import { closestNames } from './closest-names.js';

/** Names that are looked at in one step: about a millisecond, where all are long. */
export const NAMES_IN_A_STEP = 50;

/**
 * Like `closestNames`, with pauses: yields the closest of the names that were compared until then. The last result is that of
 * all names.
 */
export function* closestNamesInSteps(
  wanted: string,
  names: readonly string[],
  max = 3,
): Generator<readonly string[], void> {
  let closest: readonly string[] = [];
  for (let from = 0; from < names.length; from += NAMES_IN_A_STEP) {
    closest = closestNames(wanted, [...closest, ...names.slice(from, from + NAMES_IN_A_STEP)], max);
    yield closest;
  }
}
