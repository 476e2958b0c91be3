/** Number that one round may remove in any case. */
const MIN_ROUND = 10;

/**
 * Returns how many things of a kind one round of housekeeping may remove because the clock says so: a quarter of all,
 * and at least ten. What is kept for the default of 7 days comes to its end at a seventh a day.
 */
export function maxInRound(all: number): number {
  return Math.max(MIN_ROUND, Math.ceil(all / 4));
}
