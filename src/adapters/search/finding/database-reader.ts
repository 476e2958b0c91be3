import type { LiveRevision } from '../../../application/ports/search-index.js';
import {
  type Candidate,
  type FoundPage,
  type OpenedPage,
  type SearchBudget,
  SHARE,
  type WordSource,
} from '../../../application/search/index.js';
import { UnusableIndex } from '../databases/load-engine.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import type { PageRow } from '../databases/schema.js';
import type { FoundRow } from './revision-search.js';

/** The databases of all revisions, some of which are open. */
export interface Databases {
  use(revision: string): RevisionDatabase;
  /** Max. number of databases that are open at a time. */
  readonly most: number;
}

/** Reads databases as far as the budget of a search suffices. Revisions that cannot be read are added to `missing`. */
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
   *   would optimize again and again the ones that are called for each revision
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

/** A revision that is searched. */
export interface Visited extends LiveRevision {
  readonly words: RevisionWords;
}

/** The words of one revision during one search: each is counted once, whether or not the database stays open. */
export class RevisionWords implements WordSource {
  /** Pages of the revision, 0 before it was visited. */
  pages = 0;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly revision: string,
    private readonly reader: DatabaseReader,
  ) {}

  /** Counts pages and tokens, while the database is at hand. */
  visit(database: RevisionDatabase, tokens: readonly string[]): void {
    this.pages = database.pages;
    for (const token of tokens) this.counts.set(token, database.pagesWith(token));
  }

  pagesWith(token: string): number {
    const known = this.counts.get(token);
    if (known !== undefined) return known;
    const pages = this.read(SHARE.counting, (database) => database.pagesWith(token)) ?? 0;
    this.counts.set(token, pages);
    return pages;
  }

  hasPrefix(token: string): boolean {
    return this.read(SHARE.counting, (database) => database.hasPrefix(token)) ?? false;
  }

  spellingsNear(length: number, signature: number, typos: number, most: number): string[] {
    const near = (database: RevisionDatabase) => database.spellingsNear(length, signature, typos, most);
    return this.read(SHARE.comparing, near) ?? [];
  }

  /** Leaves out a revision that was not visited: its turn is over. */
  private read<Result>(share: number, work: (database: RevisionDatabase) => Result): Result | undefined {
    return this.pages === 0 ? undefined : this.reader.read(this.revision, share, work);
  }
}

/** A page of a database that may answer. */
export class FoundCandidate implements Candidate {
  readonly page: FoundPage;
  private readonly row: PageRow;

  constructor(
    readonly revision: string,
    { row, ...found }: FoundRow,
    wanted: Pick<FoundPage, 'words' | 'pieces'>,
    private readonly reader: DatabaseReader,
    readonly score?: number,
  ) {
    const { path, title, kind, language, readTo } = row;
    this.page = { path, title, kind, language, readTo, ...found, ...wanted };
    this.row = row;
  }

  open(): OpenedPage | undefined {
    return this.reader.read(this.revision, 1, openedPage, this.page, this.row);
  }
}

function openedPage(database: RevisionDatabase, page: FoundPage, row: PageRow): OpenedPage {
  return { ...page, content: database.contentOf(row), way: database.wayOf(row) };
}
