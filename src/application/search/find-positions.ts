import type { Haystack } from './content/haystack.js';
import { needleOf } from './match-text.js';
import { type QueryWord, withSynonyms } from './query/parse-query.js';
import type { SearchBudget } from './search-budget.js';

/** An occurrence of a word of the query, or of a synonym, in a text. */
export interface Position {
  readonly at: number;
  /** Index of the word in the query. */
  readonly word: number;
  readonly isSynonym: boolean;
}

/** Occurrences of one word that are looked for. */
const MAX_POSITIONS = 64;
/** Occurrences, accepted or not, between two looks at the budget. */
const PER_LOOK = 4_096;
/** Letters that may follow a stem: `s`, `ed`, `ing` with a doubled letter. */
const MAX_ENDING = 4;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/**
 * Occurrences of words in a folded text, in the order of the text. Parts of identifiers count where the word doesn't
 * stand alone.
 */
export function findPositions(
  words: readonly QueryWord[],
  folded: Haystack,
  budget: SearchBudget,
): Position[] {
  return words
    .flatMap((word, index) =>
      withSynonyms(word).flatMap((each) =>
        positionsOf(each, folded, budget).map((at) => ({ at, word: index, isSynonym: each !== word })),
      ),
    )
    .sort((a, b) => a.at - b.at);
}

function positionsOf(word: QueryWord, folded: Haystack, budget: SearchBudget): number[] {
  const needle = needleOf(word);
  if (needle === '') return [];
  const indexesOf = (accept: (at: number) => boolean) => allIndexesOf(needle, folded, accept, budget);
  if (word.isCjk) return indexesOf(() => true);
  const begins = (at: number) => at === 0 || !isWordCharacter(folded, at - 1) || !isWordCharacter(folded, at);
  const ends = (at: number) => word.isPrefix || restOfWord(folded, at + needle.length) <= MAX_ENDING;
  const alone = indexesOf((at) => begins(at) && ends(at));
  return alone.length > 0 ? alone : indexesOf(() => true);
}

/** The first occurrences that are accepted, or as many as the budget suffices for. */
function allIndexesOf(
  needle: string,
  text: Haystack,
  accept: (at: number) => boolean,
  budget: SearchBudget,
): number[] {
  const found: number[] = [];
  let looked = 0;
  for (
    let at = text.indexOf(needle);
    at !== -1 && found.length < MAX_POSITIONS;
    at = text.indexOf(needle, at + 1)
  ) {
    looked += 1;
    if (looked % PER_LOOK === 0 && budget.isSpent()) break;
    if (accept(at)) found.push(at);
  }
  return found;
}

function restOfWord(text: Haystack, from: number): number {
  let at = from;
  while (at < from + MAX_ENDING + 1 && isWordCharacter(text, at)) at += 1;
  return at - from;
}

function isWordCharacter(text: Haystack, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || (code >= 65 && code <= 90)
    );
  }
  return WORD_CHARACTER.test(text.slice(at, at + 1));
}
