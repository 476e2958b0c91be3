import type { SearchBudget } from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { UnusableIndex } from '../databases/unusable-index.js';
import type { Reading } from './revision-words.js';

/** The databases of all revisions, some of which are open. */
export interface Databases {
  use(revision: string): RevisionDatabase;
  /** Max. number of databases that are open at a time. */
  most(): number;
}

/** Reads databases as far as the budget suffices. What cannot be read is added to `missing`. */
export function readingIn(databases: Databases, missing: Set<string>, budget: SearchBudget): Reading {
  return (revision, share, work) => {
    if (budget.isSpent(share) || missing.has(revision)) return undefined;
    try {
      return work(databases.use(revision));
    } catch (error) {
      if (!(error instanceof UnusableIndex)) throw error;
      missing.add(revision);
      return undefined;
    }
  };
}
