import type { PageContent } from './page-content.js';

/** Time that one search works, in milliseconds. */
export const MAX_SEARCH_MS = 1_000;
/** Max. time of a search by the clock, as a multiple of `MAX_SEARCH_MS`: for a machine that is busy otherwise, or a slow disk. */
const MAX_BY_CLOCK = 4;
/**
 * Shares of `MAX_SEARCH_MS` after which steps of a kind are left out, in the order of the steps: so that what was found is also
 * read and answered.
 */
export const SHARE = {
  /** Begins once more, without indexes that turned out to be damaged. */
  beginAgain: 0.2,
  /** Looks for the words as they were typed in one more revision. */
  firstVisits: 0.4,
  /** Compares spellings. */
  comparing: 0.45,
  /** Counts pages with other spellings. */
  counting: 0.5,
  /** Asks indexes for pages. */
  finding: 0.65,
  /** Reads titles of pages. */
  titles: 0.75,
  /** Puts pages in order before they are read. */
  ordering: 0.85,
  /** Reads further pages that may be equal to one that was read, within this share of the characters, too: no result is lost without it. */
  folding: 0.5,
} as const;
/** Max. characters of pages that one search opens: a bound on what it keeps of them, and on much of its time. */
const MAX_OPENED_CHARACTERS = 20_000_000;

/**
 * Remaining budget of a search. Each part of the search checks it between two steps, and leaves out the rest when it is spent:
 * the search then answers with what it has.
 */
export class SearchBudget {
  private opened = 0;
  /** Whether something was left out. */
  isIncomplete = false;
  /** Whether something was left out because all of the budget was spent, not only a share. */
  isOver = false;

  /**
   * @param used the share of its time that the search has worked, and infinite when nobody waits for it any more. Below the share
   *   that it is asked about, it may be too high.
   */
  constructor(private readonly used: (share: number) => number) {}

  /** The budget of a search that begins now. */
  static start(isAbandoned: () => boolean = () => false): SearchBudget {
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    return new SearchBudget((share) => {
      if (isAbandoned()) return Number.POSITIVE_INFINITY;
      const passed = performance.now() - startedAt;
      // A look at the processor time takes thirty times as long as one at the clock: a fifth of all that searches worked.
      if (passed / MAX_SEARCH_MS < share) return passed / MAX_SEARCH_MS;
      // Processor time of all threads, which is no less than that of this one. So while several search, the clock alone may decide.
      const { user, system } = process.cpuUsage(cpu);
      return Math.min(passed, Math.max((user + system) / 1_000, passed / MAX_BY_CLOCK)) / MAX_SEARCH_MS;
    });
  }

  /**
   * Whether a step has to be left out.
   * @param share of the time that such steps may have, so that some is left for what follows
   */
  isSpent(share = 1): boolean {
    if (this.isOver) return true;
    if (this.opened < MAX_OPENED_CHARACTERS && this.used(share) < share) return false;
    this.isIncomplete = true;
    this.isOver = share === 1;
    return true;
  }

  /** Whether there is time, and there are characters, for a step without which an answer is complete. */
  isBelow(share: number): boolean {
    return !this.isOver && this.opened < share * MAX_OPENED_CHARACTERS && this.used(share) < share;
  }

  /** Counts the characters of a page that was opened. */
  open({ size }: PageContent): void {
    this.opened += size;
  }
}
