import type { LiveRevision } from '../../../application/ports/search-index.js';
import {
  type Candidate,
  PLACES,
  type Query,
  resolveWords,
  type WordSource,
  weighWords,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { UnusableIndex } from '../databases/unusable-index.js';
import type { Tier } from './match-expressions.js';
import { type FoundRow, RevisionSearch } from './revision-search.js';

/** Candidates that all revisions together should give, and the least and the most that each gives. */
const WANTED = 600;
const FEWEST = 4;
const MOST = 200;
/** With so many pages that have all words, less telling places are not looked into. */
const ENOUGH = 240;
/** With fewer pages that have the last word itself, longer words count, too. */
const FEW_WHOLE = 30;
/** With fewer pages that have all words, pages with most of them follow. */
const FEW = 5;

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly correctedTo?: string;
}

/** Does something with the database of a revision. Undefined: it is missing or damaged. */
type Reading = <Result>(revision: string, work: (database: RevisionDatabase) => Result) => Result | undefined;

/**
 * The first stage: some pages of each revision. What cannot be read is added to `missing`, also later, when the text of a
 * candidate is read.
 */
export function findCandidates(
  query: Query,
  live: readonly LiveRevision[],
  missing: Set<string>,
  use: (revision: string) => RevisionDatabase,
): Candidates {
  if (query.words.length === 0) return { candidates: [] };
  const reading: Reading = (revision, work) => {
    if (missing.has(revision)) return undefined;
    try {
      return work(use(revision));
    } catch (error) {
      if (!(error instanceof UnusableIndex)) throw error;
      missing.add(revision);
      return undefined;
    }
  };
  const wanted = inProject(query, live);
  let allPages = 0;
  for (const { revision } of wanted) allPages += reading(revision, ({ pages }) => pages) ?? 0;
  const { words, correctedTo } = resolveWords(
    query,
    wanted.map(({ revision }) => sourceOf(revision, reading)),
  );
  const readable = wanted.filter(({ revision }) => !missing.has(revision));
  const most = Math.min(MOST, Math.max(FEWEST, Math.ceil(WANTED / Math.max(1, readable.length))));
  const searches = readable.map(({ revision, project }) => {
    const wantedHere = { words: weighWords(words, allPages, project), pieces: query.pieces };
    return new RevisionSearch(revision, wantedHere, most);
  });

  collect(searches, reading, true, (search, database) => search.tiersOfAll(database, false));
  if (sizeOf(searches) < FEW_WHOLE) {
    collect(searches, reading, true, (search, database) => search.tiersOfAll(database, true));
  }
  if (words.length > 1 && sizeOf(searches) < FEW) {
    collect(searches, reading, false, (search, database) => search.tiersOfMost(database));
  }
  return {
    candidates: searches.flatMap((search) =>
      (reading(search.revision, (database) => search.rows(database)) ?? []).map((found) =>
        candidateOf(search.revision, found, reading),
      ),
    ),
    ...(correctedTo === undefined ? {} : { correctedTo }),
  };
}

/** Asks all revisions for the most telling places first, until there are enough pages. */
function collect(
  searches: readonly RevisionSearch[],
  reading: Reading,
  hasAll: boolean,
  tiersOf: (search: RevisionSearch, database: RevisionDatabase) => readonly Tier[],
): void {
  const asked = searches.map((search) => ({
    search,
    tiers: reading(search.revision, (database) => search.begin(database, tiersOf(search, database))) ?? [],
  }));
  for (let at = 0; at < PLACES.length && sizeOf(searches) < ENOUGH; at += 1) {
    for (const { search, tiers } of asked) {
      const tier = tiers[at];
      if (tier !== undefined) reading(search.revision, (database) => search.take(database, tier, hasAll));
    }
  }
}

function sizeOf(searches: readonly RevisionSearch[]): number {
  return searches.reduce((sum, { size }) => sum + size, 0);
}

/** The revisions of the project that the query names. */
function inProject({ project }: Query, live: readonly LiveRevision[]): readonly LiveRevision[] {
  return project === undefined
    ? live
    : live.filter((each) => each.project.toLowerCase() === project.toLowerCase());
}

function sourceOf(revision: string, reading: Reading): WordSource {
  return {
    pagesWith: (token) => reading(revision, (database) => database.pagesWith(token)) ?? 0,
    hasPrefix: (token) => reading(revision, (database) => database.hasPrefix(token)) ?? false,
    spellingsNear: (length, signature, typos) =>
      reading(revision, (database) => database.spellingsNear(length, signature, typos)) ?? [],
  };
}

function candidateOf(revision: string, { row, page }: FoundRow, reading: Reading): Candidate {
  return {
    revision,
    page,
    open: () => {
      const sections = reading(revision, (database) => database.sectionsOf(row));
      return sections === undefined ? undefined : { ...page, sections };
    },
  };
}
