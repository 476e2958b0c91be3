import type { LiveRevision, SearchAnswer, SearchFacets } from '../../../application/ports/search-index.js';
import {
  type Candidate,
  FacetCounts,
  MAX_CANDIDATES,
  MAX_CANDIDATES_OF_REVISION,
  MIN_CANDIDATES_OF_REVISION,
  MIN_CANDIDATES_TO_STOP,
  MIN_PAGES_WITH_ALL,
  MIN_PAGES_WITH_LAST_WORD,
  nameTyped,
  PAGE_KINDS,
  PLACES,
  ProjectNames,
  type Query,
  type QueryWord,
  resolveWords,
  type SearchBudget,
  SHARE,
  type TypedName,
  weighWords,
  withSynonyms,
  wordsOfProject,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { type DatabaseReader, FoundCandidate, RevisionWords, type Visited } from './database-reader.js';
import { pagesWithSome } from './find-with-some.js';
import { RequiredWords } from './match-expressions.js';
import { RevisionSearch } from './revision-search.js';

interface Candidates extends Pick<SearchAnswer, 'more' | 'correctedTo' | 'corrections' | 'omittedTerms'> {
  readonly candidates: readonly Candidate[];
  /** Counts all pages that have all words, as far as the budget suffices. */
  count(): SearchFacets;
}

/**
 * The first stage: some pages of each revision. A candidate reads its text later. When the budget is spent, the rest is left
 * out: whole revisions first.
 */
export function findCandidates(
  query: Query,
  live: readonly LiveRevision[],
  reader: DatabaseReader,
  budget: SearchBudget,
): Candidates {
  if (query.words.length === 0)
    return { candidates: [], count: () => new FacetCounts(), more: false, corrections: [], omittedTerms: [] };
  const visited = live.map((each): Visited => ({ ...each, words: new RevisionWords(each.revision, reader) }));
  let searches = find(query, visited, SHARE.firstVisits, reader);
  const { words, text, ...resolved } = resolveWords(
    query,
    [...visited.map((each) => each.words), new ProjectNames(visited)],
    budget,
  );
  if (!isSame(words, query.words)) {
    searches = find({ text, words }, visited, SHARE.finding, reader);
  }

  const allPages = visited.reduce((sum, { words: { pages } }) => sum + pages, 0);
  const candidates: Candidate[] = [];
  for (const [at, { revision, project }] of visited.entries()) {
    const rows = searches[at]?.rows ?? [];
    if (rows.length === 0) continue;
    const wanted = { words: weighWords(words, allPages, project), pieces: query.pieces };
    for (const row of rows) candidates.push(new FoundCandidate(revision, row, wanted, reader));
  }
  const isFew = candidates.length < MIN_PAGES_WITH_ALL && words.length > 1;
  return {
    candidates: isFew ? withOthers(candidates, pagesWithSome(words, query, [], visited, reader)) : candidates,
    count: () => {
      const whole = countFacets(searches, false, reader);
      const asPrefix = sumOf(whole) < MIN_PAGES_WITH_LAST_WORD && words.some(({ isPrefix }) => isPrefix);
      return asPrefix ? countFacets(searches, true, reader) : whole;
    },
    more: searches.some(({ hasMore }) => hasMore),
    ...resolved,
  };
}

/** Adds the pages that are not among those with all words. */
function withOthers(withAll: readonly Candidate[], others: readonly Candidate[]): readonly Candidate[] {
  const keyOf = ({ revision, page }: Candidate) => `${revision}\n${page.path}`;
  const known = new Set(withAll.map(keyOf));
  return [...withAll, ...others.filter((each) => !known.has(keyOf(each)))];
}

/**
 * Pages with all words, revision by revision. As many revisions as stay open are worked on together, to the end: so each is
 * opened once, and has its pages when the time is over.
 */
function find(
  { text, words }: Pick<Query, 'text' | 'words'>,
  visited: readonly Visited[],
  visiting: number,
  reader: DatabaseReader,
): RevisionSearch[] {
  const tokens = words.flatMap(withSynonyms).map(({ token }) => token);
  const telling = words.filter(({ isFiller }) => !isFiller);
  const allRequired = new RequiredWords(telling);
  const name = nameTyped(text);
  const most = mostOfEach(visited.length);
  const searches: RevisionSearch[] = [];
  while (searches.length < visited.length) {
    const group: RevisionSearch[] = [];
    do {
      const { revision, project, words: counted } = visited[searches.length] as Visited;
      const ofProject = wordsOfProject(words, project);
      const required =
        ofProject.size === 0
          ? allRequired
          : new RequiredWords(telling.filter((word) => !ofProject.has(word)));
      const search = new RevisionSearch(revision, project, words, required, most);
      searches.push(search);
      const hasBegun = reader.read(revision, visiting, beginSearch, search, counted, tokens, name);
      if (hasBegun === true) group.push(search);
    } while (searches.length < visited.length && group.length < reader.mostOpen);
    new SearchedGroup(group, searches, reader).takePages();
    for (const search of group) {
      if (!search.isEmpty) reader.read(search.revision, SHARE.titles, readRows, search);
    }
  }
  return searches;
}

function beginSearch(
  database: RevisionDatabase,
  search: RevisionSearch,
  counted: RevisionWords,
  tokens: readonly string[],
  name: TypedName,
): true {
  counted.visit(database, tokens);
  if (name.key !== '') search.define(database, name);
  search.begin(database, search.tiersOfAll(database, false));
  return true;
}

function readRows(database: RevisionDatabase, search: RevisionSearch): void {
  search.readRows(database);
}

/** Returns the max. candidates of each revision, given their number. */
function mostOfEach(revisions: number): number {
  const share = Math.ceil(MAX_CANDIDATES / Math.max(1, revisions));
  return Math.min(MAX_CANDIDATES_OF_REVISION, Math.max(MIN_CANDIDATES_OF_REVISION, share));
}

/** Whether words are looked up by the same tokens as others. */
function isSame(words: readonly QueryWord[], others: readonly QueryWord[]): boolean {
  return words.length === others.length && words.every(({ token }, at) => token === others[at]?.token);
}

/** The searches of a group of revisions, which have begun, and the searches of all groups so far. */
class SearchedGroup {
  constructor(
    private readonly group: readonly RevisionSearch[],
    private readonly all: readonly RevisionSearch[],
    private readonly reader: DatabaseReader,
  ) {}

  /** Takes pages, from the most telling places to the least, until there are enough of all. */
  takePages(): void {
    this.take();
    if (sizeOf(this.all) >= MIN_PAGES_WITH_LAST_WORD) return;
    for (const search of this.group) {
      search.end();
      this.reader.read(search.revision, SHARE.finding, beginAsPrefix, search);
    }
    this.take();
  }

  private take(): void {
    for (let at = 0; at < PLACES.length - 1 && sizeOf(this.all) < MIN_CANDIDATES_TO_STOP; at += 1) {
      for (const search of this.group) {
        if (search.asks(at)) this.reader.read(search.revision, SHARE.finding, takeTier, search, at);
      }
    }
    if (sizeOf(this.all) < MIN_CANDIDATES_TO_STOP) for (const search of this.group) search.takeRest();
  }
}

function beginAsPrefix(database: RevisionDatabase, search: RevisionSearch): void {
  search.begin(database, search.tiersOfAll(database, true));
}

function takeTier(database: RevisionDatabase, search: RevisionSearch, at: number): void {
  search.take(database, at);
}

function sizeOf(searches: readonly RevisionSearch[]): number {
  let sum = 0;
  for (const { size } of searches) sum += size;
  return sum;
}

/** Counts the pages of some revisions that have all words, as far as the budget suffices. */
function countFacets(
  searches: readonly RevisionSearch[],
  asPrefix: boolean,
  reader: DatabaseReader,
): SearchFacets {
  const counts = new FacetCounts();
  for (const search of searches) {
    const pages = reader.read(search.revision, 1, (database) => {
      const expression = search.tiersOfAll(database, asPrefix).tiers.at(-1)?.expression;
      return expression === undefined ? [] : database.countKinds(expression);
    });
    for (const [kind, count] of (pages ?? []).entries())
      counts.add(search.project, PAGE_KINDS[kind] ?? 'guide', count);
  }
  return counts;
}

/** All pages that were counted. */
function sumOf({ projects }: SearchFacets): number {
  return [...projects.values()].reduce((sum, pages) => sum + pages, 0);
}
