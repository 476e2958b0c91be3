import { rmSync } from 'node:fs';
import type { LiveRevision, SearchAnswer, SearchOptions } from '../../../application/ports/search-index.js';
import { answer, inProject, parseQuery, SearchBudget, SHARE } from '../../../application/search/index.js';
import { answerQuestion, tellingWords } from '../../../application/search/question/index.js';
import { loadEngine } from '../databases/load-engine.js';
import { OpenDatabases } from '../databases/open-databases.js';
import { findCandidates } from './find-candidates.js';
import { findForQuestion } from './find-for-question.js';
import { readingIn } from './reading-in.js';

/** A revision and the file of its database. */
export interface SearchedRevision extends LiveRevision {
  readonly file: string;
}

/** Max. number of databases that one searcher keeps open. Fewer than are searched would all be opened again for each search. */
const MAX_OPEN = 256;

/** Searches in databases, and keeps open those that it used last. */
export class Searcher {
  private readonly databases = new OpenDatabases(MAX_OPEN);

  /**
   * @param budgetOf called when the search begins to work
   * @throws Error with the code EMFILE when not even one more file can be opened
   */
  async search(
    typed: string,
    live: readonly SearchedRevision[],
    options: SearchOptions,
    budgetOf: () => SearchBudget = () => SearchBudget.start(),
  ): Promise<SearchAnswer> {
    const engine = await loadEngine();
    const budget = budgetOf();
    const asked = options.isQuestion === true ? tellingWords(typed) : undefined;
    const query = parseQuery(asked?.text ?? typed, options.synonyms);
    const files = new Map(live.map(({ revision, file }) => [revision, file]));
    const fileOf = (revision: string) => files.get(revision) ?? '';
    // From here on nothing is awaited, so no other search closes a database that this one uses.
    const missing = new Set<string>();
    for (;;) {
      const before = missing.size;
      const use = (revision: string) => this.databases.use(engine, fileOf(revision));
      const databases = { use, most: () => this.databases.most };
      let found = 0;
      const respond = (): Omit<SearchAnswer, 'missing'> => {
        if (asked !== undefined) {
          const reading = readingIn(databases, missing, budget);
          const { candidates, ...resolved } = findForQuestion(
            query,
            asked.identifiers,
            inProject(query, live),
            reading,
            budget,
          );
          found = missing.size;
          return { ...answerQuestion(candidates, options, budget), ...resolved };
        }
        const { candidates, count, more, ...resolved } = findCandidates(
          query,
          live,
          missing,
          databases,
          budget,
        );
        found = missing.size;
        const answered = answer(query, candidates, options, budget);
        const facets = options.facets === true ? { facets: count() } : {};
        return { ...answered, ...resolved, ...facets, more: more || answered.more };
      };
      const answered = respond();
      for (const revision of [...missing].slice(before)) this.removeDamaged(fileOf(revision));
      // A revision is found whole or not at all.
      if (missing.size > found && !budget.isSpent(SHARE.beginAgain)) continue;
      const results = answered.results.filter(({ revision }) => !missing.has(revision));
      return {
        ...answered,
        results,
        total: answered.total - (answered.results.length - results.length),
        missing: [...missing],
        ...(budget.isIncomplete ? { incomplete: true } : {}),
      };
    }
  }

  /** Closes a database that was replaced or removed. */
  forget(file: string): void {
    this.databases.close(file);
  }

  /** Removes a file that cannot be used, so that it is built again. A file that is missing, or cannot be removed, is left. */
  private removeDamaged(file: string): void {
    this.databases.close(file);
    try {
      rmSync(file, { recursive: true, force: true });
    } catch {
      // It is named as missing again.
    }
  }

  close(): void {
    this.databases.closeAll();
  }
}
