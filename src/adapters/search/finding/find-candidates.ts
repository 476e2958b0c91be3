import type { LiveRevision, SearchAnswer, SearchFacets } from '../../../application/ports/search-index.js';
import {
  type Candidate,
  FacetCounts,
  inProject,
  MAX_CANDIDATES,
  MAX_CANDIDATES_OF_REVISION,
  MIN_CANDIDATES_OF_REVISION,
  MIN_CANDIDATES_TO_STOP,
  MIN_PAGES_WITH_ALL,
  MIN_PAGES_WITH_LAST_WORD,
  namesOf,
  nameTyped,
  PLACES,
  type Query,
  type QueryWord,
  resolveWords,
  type SearchBudget,
  SHARE,
  weighWords,
  withSynonyms,
  wordsOfProject,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { countFacets, sumOf } from './count-facets.js';
import { RequiredWords } from './match-expressions.js';
import { type Databases, readingIn } from './reading-in.js';
import { type AskedTiers, RevisionSearch } from './revision-search.js';
import { type Reading, RevisionWords } from './revision-words.js';

export interface Candidates
  extends Pick<SearchAnswer, 'more' | 'correctedTo' | 'corrections' | 'omittedTerms'> {
  readonly candidates: readonly Candidate[];
  /** Counts all pages that have all words, as far as the budget suffices. */
  count(): SearchFacets;
}

/** A revision that is searched. */
interface Visited extends LiveRevision {
  readonly words: RevisionWords;
}

/**
 * The first stage: some pages of each revision. What cannot be read is added to `missing`, also later, when the text of a
 * candidate is read. What the budget does not suffice for is left out: whole revisions first.
 */
export function findCandidates(
  query: Query,
  live: readonly LiveRevision[],
  missing: Set<string>,
  databases: Databases,
  budget: SearchBudget,
): Candidates {
  if (query.words.length === 0)
    return { candidates: [], count: () => new FacetCounts(), more: false, corrections: [], omittedTerms: [] };
  const reading = readingIn(databases, missing, budget);
  const visited = inProject(query, live)
    .filter(({ revision }) => !missing.has(revision))
    .map((each): Visited => ({ ...each, words: new RevisionWords(each.revision, reading) }));
  const most = () => databases.most();
  let searches = find(query, visited, SHARE.firstVisits, reading, most);
  const { words, text, ...resolved } = resolveWords(
    query,
    [...visited.map((each) => each.words), namesOf(visited)],
    budget,
  );
  if (!isSame(words, query.words)) {
    searches = find({ text, words }, visited, SHARE.finding, reading, most);
  }

  const allPages = visited.reduce((sum, { words: { pages } }) => sum + pages, 0);
  const candidates = visited.flatMap(({ revision, project }, at) => {
    const rows = searches[at]?.rows ?? [];
    if (rows.length === 0) return [];
    const wanted = { words: weighWords(words, allPages, project), pieces: query.pieces };
    return rows.map(({ row, ...found }): Candidate => {
      const { path, title, kind, language } = row;
      const page = { path, title, kind, language, ...found, ...wanted };
      const open = () => {
        return reading(revision, 1, (database) => ({
          ...page,
          content: database.contentOf(row),
          way: database.wayOf(row),
        }));
      };
      return { revision, page, open };
    });
  });
  const withAll = candidates.filter(({ page }) => page.hasAll);
  return {
    candidates: withAll.length < MIN_PAGES_WITH_ALL ? candidates : withAll,
    count: () => {
      const whole = countFacets(searches, false, reading);
      const asPrefix = sumOf(whole) < MIN_PAGES_WITH_LAST_WORD && words.some(({ isPrefix }) => isPrefix);
      return asPrefix ? countFacets(searches, true, reading) : whole;
    },
    more: searches.some(({ hasMore }) => hasMore),
    ...resolved,
  };
}

/**
 * Pages with some words, revision by revision. As many revisions as stay open are worked on together, to the end: so each is
 * opened once, and has its pages when the time is over.
 */
function find(
  { text, words }: Pick<Query, 'text' | 'words'>,
  visited: readonly Visited[],
  visiting: number,
  reading: Reading,
  mostOpen: () => number,
): RevisionSearch[] {
  const tokens = words.flatMap(withSynonyms).map(({ token }) => token);
  const allRequired = new RequiredWords(words);
  const name = nameTyped(text);
  const most = mostOfEach(visited.length);
  const searches: RevisionSearch[] = [];
  while (searches.length < visited.length) {
    const group: RevisionSearch[] = [];
    do {
      const { revision, project, words: counted } = visited[searches.length] as Visited;
      const ofProject = wordsOfProject(words, project);
      const required =
        ofProject.size === 0 ? allRequired : new RequiredWords(words.filter((word) => !ofProject.has(word)));
      const search = new RevisionSearch(revision, project, words, required, most);
      searches.push(search);
      reading(revision, visiting, (database) => {
        counted.visit(database, tokens);
        if (name.key !== '') search.define(database, name);
        search.begin(database, search.tiersOfAll(database, false));
        group.push(search);
      });
    } while (searches.length < visited.length && group.length < mostOpen());
    takePages(group, searches, reading, words.length > 1);
    for (const search of group) {
      if (!search.isEmpty) reading(search.revision, SHARE.titles, (database) => search.readRows(database));
    }
  }
  return searches;
}

/** Takes the pages of a group that has begun, from the most telling places to the least, until there are enough of all. */
function takePages(
  group: readonly RevisionSearch[],
  all: readonly RevisionSearch[],
  reading: Reading,
  mayLack: boolean,
): void {
  const begin = (tiersOf: (search: RevisionSearch, database: RevisionDatabase) => AskedTiers) => {
    for (const search of group) {
      search.end();
      reading(search.revision, SHARE.finding, (database) =>
        search.begin(database, tiersOf(search, database)),
      );
    }
  };
  const take = (hasAll: boolean) => {
    for (let at = 0; at < PLACES.length - 1 && sizeOf(all) < MIN_CANDIDATES_TO_STOP; at += 1) {
      for (const search of group.filter((each) => each.asks(at))) {
        reading(search.revision, SHARE.finding, (database) => search.take(database, at, hasAll));
      }
    }
    if (sizeOf(all) < MIN_CANDIDATES_TO_STOP) for (const search of group) search.takeRest(hasAll);
  };
  take(true);
  if (sizeOf(all) < MIN_PAGES_WITH_LAST_WORD) {
    begin((search, database) => search.tiersOfAll(database, true));
    take(true);
  }
  if (mayLack && sizeOf(all) < MIN_PAGES_WITH_ALL) {
    begin((search, database) => search.tiersOfMost(database));
    take(false);
  }
}

/** Max. candidates of each of so many revisions. */
function mostOfEach(revisions: number): number {
  const share = Math.ceil(MAX_CANDIDATES / Math.max(1, revisions));
  return Math.min(MAX_CANDIDATES_OF_REVISION, Math.max(MIN_CANDIDATES_OF_REVISION, share));
}

function sizeOf(searches: readonly RevisionSearch[]): number {
  return searches.reduce((sum, { size }) => sum + size, 0);
}

/** Whether words are looked up by the same tokens as others. */
function isSame(words: readonly QueryWord[], others: readonly QueryWord[]): boolean {
  return words.length === others.length && words.every(({ token }, at) => token === others[at]?.token);
}
