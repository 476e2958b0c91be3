import type { FoundPage, QueryWord, WeightedWord } from '../../../application/index.js';
import type { PageRow } from '../databases/page-rows.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { type Tier, tiersLackingOne, tiersOf, tiersOfAny } from './match-expressions.js';

/** A page that was found, with its row. */
export interface FoundRow {
  readonly row: PageRow;
  readonly page: FoundPage;
}

/** What pages of one revision are searched for. */
export type Wanted = Pick<FoundPage, 'words' | 'pieces'>;

/** The search in one revision: it is asked tier by tier, so that telling places of all revisions come first. */
export class RevisionSearch {
  private readonly found = new Map<number, { readonly tier: Tier; readonly hasAll: boolean }>();

  /** Pages that the tiers being asked will give. */
  private expected = 0;

  constructor(
    readonly revision: string,
    private readonly wanted: Wanted,
    /** Max. number of pages. */
    private readonly most: number,
  ) {}

  get size(): number {
    return this.found.size;
  }

  /** Questions for pages with all words. None if a word is in no page. */
  tiersOfAll(database: RevisionDatabase, asPrefix: boolean): readonly Tier[] {
    const words = this.wanted.words.filter(({ isOfProject }) => !isOfProject);
    if (asPrefix && !words.some(({ isPrefix }) => isPrefix)) return [];
    const mayBePart = ({ isPrefix }: WeightedWord) => asPrefix && isPrefix;
    return words.every((word) => mayBePart(word) || isIn(database, word)) ? tiersOf(words, asPrefix) : [];
  }

  /** Questions for pages with most of the words: all but one, or any of two. */
  tiersOfMost(database: RevisionDatabase): readonly Tier[] {
    const known = this.wanted.words.filter((word) => word.isPrefix || isIn(database, word));
    if (known.length === 0) return [];
    return known.length > 2 ? tiersLackingOne(known) : tiersOfAny(known);
  }

  /**
   * The tiers that are worth asking. The last one, which has the pages of all others, tells how many there are: most revisions have
   * none.
   */
  begin(database: RevisionDatabase, tiers: readonly Tier[]): readonly Tier[] {
    const last = tiers.at(-1);
    if (last === undefined || this.found.size >= this.most) return [];
    const ids = database.match(last.expression, this.most + this.found.size);
    const fresh = ids.filter((id) => !this.found.has(id)).length;
    this.expected = Math.min(this.most, this.found.size + fresh);
    return fresh === 0 ? [] : tiers;
  }

  /** Takes the pages that answer, until all are found. */
  take(database: RevisionDatabase, tier: Tier, hasAll: boolean): void {
    if (this.found.size >= this.expected) return;
    // Those of the tiers before come again.
    for (const id of database.match(tier.expression, this.most + this.found.size)) {
      if (this.found.size < this.expected && !this.found.has(id)) this.found.set(id, { tier, hasAll });
    }
  }

  rows(database: RevisionDatabase): FoundRow[] {
    return [...this.found].map(([id, { tier, hasAll }]) => {
      const row = database.page(id);
      const { path, title, kind, language } = row;
      return { row, page: { path, title, kind, language, place: tier.place, hasAll, ...this.wanted } };
    });
  }
}

function isIn(database: RevisionDatabase, { token }: QueryWord): boolean {
  return database.pagesWith(token) > 0;
}
