import {
  type FoundDefinition,
  type FoundPage,
  foundDefinition,
  MAX_DEFINITIONS_OF_NAME,
  type Place,
  type QueryWord,
  type TypedName,
  withSynonyms,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import type { PageRow } from '../databases/schema.js';
import type { RequiredWords, Tier } from './match-expressions.js';

/** A page that was found, with its row. */
export interface FoundRow extends Pick<FoundPage, 'place' | 'hasAll' | 'definition'> {
  readonly row: PageRow;
}

/** The tiers that a revision is asked, from the most telling places to the least. */
interface AskedTiers {
  readonly tiers: readonly Tier[];
  /** Index of the first tier that may have pages, by the most telling place of each single word. */
  readonly first: number;
}

const NO_TIERS: AskedTiers = { tiers: [], first: 0 };

/** The search in one revision: it is asked tier by tier, so that telling places of all revisions come first. */
export class RevisionSearch {
  /** Pages whose titles were read. */
  rows: readonly FoundRow[] = [];
  /** Whether more pages answer than are taken. */
  hasMore = false;
  /** The most telling place by page. */
  private readonly found = new Map<number, Place>();
  /** Sections that explain the searched name, by page. */
  private readonly definitions = new Map<number, FoundDefinition[]>();
  private asked = NO_TIERS;
  /** Pages that answer the last of the tiers. */
  private answering: readonly number[] = [];
  /** Pages that the tiers being asked will give. */
  private expected = 0;

  constructor(
    readonly revision: string,
    readonly project: string,
    /** Words of the query. */
    private readonly words: readonly QueryWord[],
    /** Words that a page has to have. */
    private readonly required: RequiredWords,
    /** Max. number of pages. */
    private readonly most: number,
  ) {}

  get size(): number {
    return this.found.size;
  }

  get isEmpty(): boolean {
    return this.found.size === 0 && this.definitions.size === 0;
  }

  /** Looks up the sections that explain the name that the query is. */
  define(database: RevisionDatabase, name: TypedName): void {
    // The words of a name are words of the page that defines it.
    if (!this.words.some((word) => isIn(database, word))) return;
    for (const definition of database.definitions(name.key, MAX_DEFINITIONS_OF_NAME)) {
      const ofPage = this.definitions.get(definition.page) ?? [];
      if (ofPage.some(({ section }) => section === definition.section)) continue;
      this.definitions.set(definition.page, [...ofPage, foundDefinition(definition, name)]);
    }
  }

  /** Tiers of pages with all words. None if a word is in no page. */
  tiersOfAll(database: RevisionDatabase, asPrefix: boolean): AskedTiers {
    const { words, tiers, tiersAsPrefix } = this.required;
    if (asPrefix && !words.some(({ isPrefix }) => isPrefix)) return NO_TIERS;
    let first = 0;
    for (const word of words) {
      if (!isIn(database, word) && !(asPrefix && isPartIn(database, word))) return NO_TIERS;
      first = Math.max(first, bestPlaceOf(database, word, asPrefix));
    }
    return { tiers: asPrefix ? tiersAsPrefix : tiers, first };
  }

  /**
   * Begins to ask. The last tier, which has the pages of all others, tells how many there are: most revisions have none, and
   * need not be asked for the others.
   */
  begin(database: RevisionDatabase, asked: AskedTiers): void {
    this.end();
    const last = asked.tiers.at(-1);
    if (last === undefined || this.found.size >= this.most) return;
    // The limit is one more than is taken, which tells whether there are more.
    this.answering = database.match(last.expression, this.most + this.found.size + 1);
    const fresh = this.answering.filter((id) => !this.found.has(id)).length;
    this.expected = Math.min(this.most, this.found.size + fresh);
    this.hasMore ||= this.found.size + fresh > this.most;
    if (fresh > 0) this.asked = asked;
  }

  /** Whether the tier with this number may give more pages. */
  asks(at: number): boolean {
    const { tiers, first } = this.asked;
    return at >= first && at < tiers.length - 1 && this.found.size < this.expected;
  }

  /** Takes the pages that answer the tier with this number, until all are found. */
  take(database: RevisionDatabase, at: number): void {
    const tier = this.asked.tiers[at];
    // Pages of the tiers before come again.
    if (tier !== undefined) this.add(database.match(tier.expression, this.most + this.found.size), tier);
  }

  /** Takes the pages of the last tier, which are known from the beginning. */
  takeRest(): void {
    const last = this.asked.tiers.at(-1);
    if (last !== undefined) this.add(this.answering, last);
  }

  /** Asks no more. */
  end(): void {
    this.asked = NO_TIERS;
    this.answering = [];
    this.expected = 0;
  }

  /** Reads the titles of what was found. */
  readRows(database: RevisionDatabase): void {
    const defining = [...this.definitions].flatMap(([id, definitions]) => {
      const row = database.page(id);
      return definitions.map((definition) => ({ place: 'about', hasAll: true, definition, row }) as const);
    });
    const others = [...this.found].filter(([id]) => !this.definitions.has(id));
    this.rows = [
      ...defining,
      ...others.map(([id, place]) => ({ place, hasAll: true, row: database.page(id) })),
    ];
  }

  private add(ids: readonly number[], { place }: Tier): void {
    for (const id of ids) {
      if (this.found.size < this.expected && !this.found.has(id)) this.found.set(id, place);
    }
  }
}

/** Whether a page has the word, or a synonym. */
function isIn(database: RevisionDatabase, word: QueryWord): boolean {
  for (const { token } of withSynonyms(word)) if (database.pagesWith(token) > 0) return true;
  return false;
}

/** Index in `PLACES` of the most telling place of a word or a synonym. A longer word may be anywhere. */
function bestPlaceOf(database: RevisionDatabase, word: QueryWord, asPrefix: boolean): number {
  if (asPrefix && word.isPrefix) return 0;
  let best = Number.POSITIVE_INFINITY;
  for (const { token } of withSynonyms(word)) best = Math.min(best, database.bestPlaceOf(token));
  return best;
}

/** Whether a page has a longer word that begins with one that may be unfinished. */
function isPartIn(database: RevisionDatabase, { isPrefix, token }: QueryWord): boolean {
  return isPrefix && database.hasPrefix(token);
}
