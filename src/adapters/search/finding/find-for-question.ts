import type { LiveRevision, SearchAnswer } from '../../../application/ports/search-index.js';
import {
  type FoundDefinition,
  foundDefinition,
  nameTyped,
  PLACES,
  ProjectNames,
  type Query,
  type QuestionCandidate,
  RANKING,
  resolveWords,
  type SearchBudget,
  SHARE,
  type WeightedWord,
  weighWords,
  withSynonyms,
} from '../../../application/search/index.js';
import type { RevisionDatabase } from '../databases/revision-database.js';
import { type DatabaseReader, FoundCandidate, RevisionWords } from './database-reader.js';
import { tiersOfAny } from './match-expressions.js';

/** Pages of a revision that are taken in from one place of a word: where it stands in more, it tells little. */
const MAX_PAGES = 3_000;
/** Pages of all revisions whose rows are read. */
const MAX_ROWS = 60;
/** Definitions of an identifier that are looked up. */
const MAX_DEFINITIONS = 4;

interface FoundId {
  score: number;
  definition?: FoundDefinition;
}

/** Pages with any of the words of a question, the best ones by what the index knows without their texts. */
export function findForQuestion(
  query: Query,
  identifiers: readonly string[],
  live: readonly LiveRevision[],
  reader: DatabaseReader,
  budget: SearchBudget,
): { readonly candidates: readonly QuestionCandidate[] } & Pick<
  SearchAnswer,
  'correctedTo' | 'corrections' | 'omittedTerms'
> {
  const visited = live.map((each) => ({ ...each, counts: new RevisionWords(each.revision, reader) }));
  const tokens = query.words.flatMap(withSynonyms).map(({ token }) => token);
  for (const { revision, counts } of visited)
    reader.read(revision, SHARE.firstVisits, (database) => counts.visit(database, tokens));
  const sources = [...visited.map(({ counts }) => counts), new ProjectNames(visited)];
  const { words, text: _, ...resolved } = resolveWords(query, sources, budget);
  const allPages = visited.reduce((sum, { counts }) => sum + counts.pages, 0);
  const found = visited.flatMap(({ revision, project }) => {
    const weighted = weighWords(words, allPages, project);
    const ids =
      reader.read(revision, SHARE.finding, (database) => idsIn(database, weighted, identifiers)) ?? new Map();
    return Array.from(ids, ([id, facts]) => ({ revision, id, weighted, ...facts }));
  });
  const best = found.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, MAX_ROWS);
  const candidates = best.flatMap(({ revision, id, weighted, score, definition }): QuestionCandidate[] => {
    const row = reader.read(revision, SHARE.titles, (database) => database.page(id));
    if (row === undefined) return [];
    const found = new FoundCandidate(
      revision,
      { row, place: 'body', hasAll: false, ...(definition === undefined ? {} : { definition }) },
      { words: weighted, pieces: query.pieces },
      reader,
    );
    const { page } = found;
    return [{ revision, page, open: () => found.open(), score: score * RANKING.kind[page.kind] }];
  });
  return { candidates, ...resolved };
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
    const known = new Set<number>();
    const all = database.pagesWith(word.token);
    for (const { place, expression } of tiersOfAny([word])) {
      if (known.size >= all && word.synonyms.length === 0) break;
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
