import type { LiveRevision, SearchAnswer } from '../../../application/ports/search-index.js';
import {
  type Candidate,
  type FoundDefinition,
  foundDefinition,
  type KnownWord,
  kindFactor,
  nameTyped,
  PLACES,
  ProjectNames,
  type Query,
  RANKING,
  resolveWords,
  type SearchBudget,
  SHARE,
  type WeightedWord,
  weighWords,
  withSynonyms,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { type DatabaseReader, FoundCandidate, RevisionWords, type Visited } from './database-reader.js';
import { tiersOf } from './match-expressions.js';

/** Max. pages of a revision from one place of a word: a word that is there in more pages tells little. */
const MAX_PAGES = 3_000;
/** Pages of all revisions whose rows are read. */
const MAX_ROWS = 60;
/** Definitions of an identifier that are looked up. */
const MAX_DEFINITIONS = 4;

interface FoundId {
  score: number;
  definition?: FoundDefinition;
}

/** Pages with any of the words of a question. */
export function findForQuestion(
  query: Query,
  identifiers: readonly string[],
  live: readonly LiveRevision[],
  reader: DatabaseReader,
  budget: SearchBudget,
): { readonly candidates: readonly Candidate[] } & Pick<
  SearchAnswer,
  'correctedTo' | 'corrections' | 'omittedTerms'
> {
  const visited = live.map((each): Visited => ({ ...each, words: new RevisionWords(each.revision, reader) }));
  const tokens = query.words.flatMap(withSynonyms).map(({ token }) => token);
  for (const { revision, words } of visited)
    reader.read(revision, SHARE.firstVisits, (database) => words.visit(database, tokens));
  const sources = [...visited.map(({ words }) => words), new ProjectNames(visited)];
  const { words, text: _, ...resolved } = resolveWords(query, sources, budget);
  return { candidates: pagesWithSome(words, query, identifiers, visited, reader), ...resolved };
}

/** Pages with any of some words, the best ones by what the index knows without their texts. */
export function pagesWithSome(
  words: readonly KnownWord[],
  { pieces }: Query,
  identifiers: readonly string[],
  visited: readonly Visited[],
  reader: DatabaseReader,
): Candidate[] {
  const allPages = visited.reduce((sum, each) => sum + each.words.pages, 0);
  const found = visited.flatMap(({ revision, project, words: { pages } }) => {
    // A revision that was not visited gets no more time.
    if (pages === 0) return [];
    const weighted = weighWords(words, allPages, project);
    const ids =
      reader.read(revision, SHARE.finding, (database) => idsIn(database, weighted, identifiers)) ?? new Map();
    return Array.from(ids, ([id, facts]) => ({ revision, id, weighted, ...facts }));
  });
  const best = found.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, MAX_ROWS);
  return best.flatMap(({ revision, id, weighted, score, definition }): Candidate[] => {
    const row = reader.read(revision, SHARE.titles, (database) => database.page(id));
    if (row === undefined) return [];
    const facts = { row, place: 'body', hasAll: false } as const;
    const page = definition === undefined ? facts : { ...facts, definition };
    const wanted = { words: weighted, pieces };
    return [
      new FoundCandidate(
        revision,
        page,
        wanted,
        reader,
        score * kindFactor({ kind: row.kind, words: weighted }),
      ),
    ];
  });
}

/** Pages by id, with the weights of their words, each by the most telling place that it has there. */
function idsIn(
  database: RevisionDatabase,
  words: readonly WeightedWord[],
  identifiers: readonly string[],
): ReadonlyMap<number, FoundId> {
  const found = new Map<number, FoundId>();
  const at = (id: number) => {
    const known = found.get(id) ?? { score: 0 };
    found.set(id, known);
    return known;
  };
  for (const word of words) {
    if (word.isFiller) continue;
    const known = new Set<number>();
    const all = database.pagesWith(word.token);
    for (const { place, expression } of tiersOf([word], true)) {
      if (known.size >= all && word.synonyms.length === 0 && !word.isPrefix) break;
      if (place === PLACES.at(-1) && all > MAX_PAGES) break;
      for (const id of database.match(expression, MAX_PAGES)) {
        if (known.has(id)) continue;
        known.add(id);
        at(id).score += word.weight * RANKING.place[place];
      }
    }
  }
  for (const identifier of identifiers) {
    const name = nameTyped(identifier);
    if (name.key === '') continue;
    for (const row of database.definitions(name.key, MAX_DEFINITIONS)) {
      const definition = foundDefinition(row, name);
      const known = at(row.page);
      known.score += 1;
      known.definition ??= definition;
    }
  }
  return found;
}
