import { SHARE, type WordSource } from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import type { DatabaseReader } from './database-reader.js';

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

  /** One that was not visited is left out: its turn comes no more. */
  private read<Result>(share: number, work: (database: RevisionDatabase) => Result): Result | undefined {
    return this.pages === 0 ? undefined : this.reader.read(this.revision, share, work);
  }
}
