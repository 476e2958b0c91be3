import { type Actor, type Days, lastDays, sumOfSearches, type UnfoundSums } from '../../domain/index.js';
import type { UsageStore } from '../ports/usage-store.js';

/** Max. searches of people, and of agents, in a report. */
const MAX_REPORTED = 200;

/** Searches that found nothing, in some days. */
export type ShownSearches = Days & UnfoundSums;

/** Use case: shows which searches found nothing. */
export class ShowSearches {
  constructor(private readonly store: Pick<UsageStore, 'readSearches'>) {}

  /**
   * Returns the searches of the last `days`, today included.
   * @throws Refusal `manage_not_allowed`: searches may hold secrets, and belong to no project
   */
  async execute({ policy }: Actor, days: number, now = new Date()): Promise<ShownSearches> {
    const why = policy.whyNotManageAll();
    if (why !== undefined) throw why;
    const range = lastDays(days, now);
    return { ...range, ...sumOfSearches(await this.store.readSearches(range), MAX_REPORTED) };
  }
}
