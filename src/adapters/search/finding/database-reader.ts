import type { SearchBudget } from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { UnusableIndex } from '../databases/unusable-index.js';

/** The databases of all revisions, some of which are open. */
export interface Databases {
  use(revision: string): RevisionDatabase;
  /** Max. number of databases that are open at a time. */
  readonly most: number;
}

/** Reads databases as far as the budget of a search suffices. What cannot be read is added to `missing`. */
export class DatabaseReader {
  constructor(
    private readonly databases: Databases,
    private readonly missing: Set<string>,
    private readonly budget: SearchBudget,
  ) {}

  /** Max. number of databases that are open at a time. */
  get mostOpen(): number {
    return this.databases.most;
  }

  /**
   * Does something with the database of a revision, within a share of the search's time. Undefined: there is no time left, or
   * the database is missing or damaged.
   * @param values for `work`, so that it need not be a closure: V8 forgets how it optimized the closures of a search, and
   *   would optimize those that are called for each revision again and again
   */
  read<Values extends readonly unknown[], Result>(
    revision: string,
    share: number,
    work: (database: RevisionDatabase, ...values: Values) => Result,
    ...values: Values
  ): Result | undefined {
    if (this.budget.isSpent(share) || this.missing.has(revision)) return undefined;
    try {
      return work(this.databases.use(revision), ...values);
    } catch (error) {
      if (!(error instanceof UnusableIndex)) throw error;
      this.missing.add(revision);
      return undefined;
    }
  }
}
