import { rmSync } from 'node:fs';
import type { LiveRevision, SearchAnswer, SearchOptions } from '../../../application/ports/search-index.js';
import {
  answer,
  inProject,
  oneOf,
  parseQuery,
  SearchBudget,
  SHARE,
  tellingWords,
} from '../../../application/search/index.js';
import { isNoMoreFiles, type Loaded, loadEngine } from '../databases/load-engine.js';
import { keptBlocks, RevisionDatabase } from '../databases/revision-database.js';
import { DatabaseReader, type Databases } from './database-reader.js';
import { findCandidates } from './find-candidates.js';
import { findForQuestion } from './find-with-some.js';

/** Max. number of databases that one searcher keeps open. Fewer than are searched would all be opened again for each search. */
const MAX_OPEN = 256;
/**
 * Max. bytes of blocks of pages that are kept. Most searches while somebody types read a third as many. Bytes are outside of
 * the heap: garbage collection would copy and mark strings of them, and let the heap grow to twice their size.
 */
const MAX_KEPT = 12_000_000;

/** A revision and the file of its database. */
export interface SearchedRevision extends LiveRevision {
  readonly file: string;
}

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
    const query = parseQuery(asked?.text ?? typed, options.synonyms, asked?.wordings);
    // From here on nothing is awaited, so no other search closes a database that this one uses.
    const databases = new LiveDatabases(live, engine, this.databases);
    const missing = new Set<string>();
    const reader = new DatabaseReader(databases, missing, budget);
    for (;;) {
      const before = missing.size;
      const readable = inProject(query, live).filter(({ revision }) => !missing.has(revision));
      let found = 0;
      const respond = (): Omit<SearchAnswer, 'missing'> => {
        if (asked !== undefined) {
          const { candidates, ...resolved } = findForQuestion(
            query,
            asked.identifiers,
            readable,
            reader,
            budget,
          );
          found = missing.size;
          return { ...answer(query, candidates, options, budget), ...resolved };
        }
        const { candidates, count, more, ...resolved } = findCandidates(query, readable, reader, budget);
        found = missing.size;
        const answered = answer(query, candidates, options, budget);
        const facets = options.facets === true ? { facets: count() } : {};
        return { ...answered, ...resolved, ...facets, more: more || answered.more };
      };
      const answered = respond();
      for (const revision of [...missing].slice(before)) this.removeDamaged(databases.fileOf(revision));
      // A revision is found whole or not at all.
      if (missing.size > found && !budget.isSpent(SHARE.beginAgain)) continue;
      const results = answered.results.flatMap(({ sameIn = [], ...first }) =>
        oneOf([first, ...sameIn].filter(({ revision }) => !missing.has(revision))),
      );
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

/** The databases of the revisions of one search. */
class LiveDatabases implements Databases {
  private readonly files: ReadonlyMap<string, string>;

  constructor(
    live: readonly SearchedRevision[],
    private readonly engine: Loaded,
    private readonly open: OpenDatabases,
  ) {
    this.files = new Map(live.map(({ revision, file }) => [revision, file]));
  }

  get most(): number {
    return this.open.most;
  }

  fileOf(revision: string): string {
    return this.files.get(revision) ?? '';
  }

  use(revision: string): RevisionDatabase {
    return this.open.use(this.engine, this.fileOf(revision));
  }
}

/** The databases that were used last, by their files. Each is one open file. */
class OpenDatabases {
  private readonly open = new Map<string, RevisionDatabase>();
  private readonly kept = keptBlocks(MAX_KEPT);

  constructor(private max: number) {}

  /**
   * The database in a file, open until `max` others have been used.
   * @throws UnusableIndex when it is missing or damaged; Error with the code EMFILE when not even one file can be opened
   */
  use(engine: Loaded, file: string): RevisionDatabase {
    const database = this.open.get(file) ?? this.openFile(engine, file);
    this.open.delete(file);
    this.open.set(file, database);
    if (this.open.size > this.max) this.closeOldest(this.open.size - this.max);
    return database;
  }

  /** Max. number of databases that are open at a time. */
  get most(): number {
    return this.max;
  }

  close(file: string): void {
    const database = this.open.get(file);
    this.open.delete(file);
    database?.close();
  }

  closeAll(): void {
    this.closeOldest(this.open.size);
  }

  /** Opens a database. If the process may open no more files, half of the databases stay open from then on. */
  private openFile(engine: Loaded, file: string): RevisionDatabase {
    for (;;) {
      try {
        return RevisionDatabase.open(engine, file, this.kept);
      } catch (error) {
        const { size } = this.open;
        if (!isNoMoreFiles(error) || size === 0) throw error;
        this.max = Math.max(1, Math.floor(size / 2));
        this.closeOldest(Math.max(1, size - this.max));
      }
    }
  }

  private closeOldest(count: number): void {
    for (const file of [...this.open.keys()].slice(0, count)) this.close(file);
  }
}
