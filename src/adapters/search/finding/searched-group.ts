import {
  MIN_CANDIDATES_TO_STOP,
  MIN_PAGES_WITH_ALL,
  MIN_PAGES_WITH_LAST_WORD,
  PLACES,
  SHARE,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import type { DatabaseReader } from './database-reader.js';
import type { RevisionSearch } from './revision-search.js';

/** The searches of a group of revisions, which have begun, and those of all groups so far. */
export class SearchedGroup {
  constructor(
    private readonly group: readonly RevisionSearch[],
    private readonly all: readonly RevisionSearch[],
    private readonly reader: DatabaseReader,
  ) {}

  /** Takes pages, from the most telling places to the least, until there are enough of all. */
  takePages(mayLack: boolean): void {
    this.take(true);
    if (sizeOf(this.all) < MIN_PAGES_WITH_LAST_WORD) {
      this.beginAgain(beginAsPrefix);
      this.take(true);
    }
    if (mayLack && sizeOf(this.all) < MIN_PAGES_WITH_ALL) {
      this.beginAgain(beginWithMost);
      this.take(false);
    }
  }

  private beginAgain(begin: (database: RevisionDatabase, search: RevisionSearch) => void): void {
    for (const search of this.group) {
      search.end();
      this.reader.read(search.revision, SHARE.finding, begin, search);
    }
  }

  private take(hasAll: boolean): void {
    for (let at = 0; at < PLACES.length - 1 && sizeOf(this.all) < MIN_CANDIDATES_TO_STOP; at += 1) {
      for (const search of this.group) {
        if (search.asks(at)) this.reader.read(search.revision, SHARE.finding, takeTier, search, at, hasAll);
      }
    }
    if (sizeOf(this.all) < MIN_CANDIDATES_TO_STOP) for (const search of this.group) search.takeRest(hasAll);
  }
}

function beginAsPrefix(database: RevisionDatabase, search: RevisionSearch): void {
  search.begin(database, search.tiersOfAll(database, true));
}

function beginWithMost(database: RevisionDatabase, search: RevisionSearch): void {
  search.begin(database, search.tiersOfMost(database));
}

function takeTier(database: RevisionDatabase, search: RevisionSearch, at: number, hasAll: boolean): void {
  search.take(database, at, hasAll);
}

function sizeOf(searches: readonly RevisionSearch[]): number {
  let sum = 0;
  for (const { size } of searches) sum += size;
  return sum;
}
