import type { WeightedWord } from './found-page.js';
import { needleOf } from './match-text.js';
import type { Haystack } from './page-content.js';
import { type QueryWord, withSynonyms } from './query/parse-query.js';
import type { SearchBudget } from './search-budget.js';

/** Occurrences of one word that are looked for: so many in each stretch of a text, on average. */
const MAX_POSITIONS = 64;
const STRETCH = 400_000;
/** Occurrences, accepted or not, between two looks at the budget. */
const PER_LOOK = 4_096;
/** Max. letters after a stem: `s`, `ed`, `ing` with a doubled letter. Stems of one or two letters, as in `-w`: plural only. */
const MAX_ENDING = 4;
const MAX_SHORT = 2;
const MAX_SHORT_ENDING = 1;
const HYPHEN = 0x2d;
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** An occurrence of a word of the query, or of a synonym, in a text. */
export interface Position {
  readonly at: number;
  /** Index of the word in the query. */
  readonly word: number;
  readonly isSynonym: boolean;
}

/**
 * Occurrences of words in a folded text, in the order of the text. Parts of identifiers count where the word doesn't
 * stand alone.
 */
export function findPositions(
  words: readonly QueryWord[],
  folded: Haystack,
  budget: SearchBudget,
): Position[] {
  const positions: Position[] = [];
  for (const [index, word] of words.entries()) {
    for (const each of withSynonyms(word)) {
      const isSynonym = each !== word;
      for (const at of placesOf(each, folded, budget)) positions.push({ at, word: index, isSynonym });
    }
  }
  return positions.sort((a, b) => a.at - b.at);
}

/** The stretch of a text that has most of a query. */
interface Window {
  readonly from: number;
  readonly to: number;
  /** Share of the query that stands in it, 0 to 1. */
  readonly share: number;
}

/** The stretch of at most `length` characters with the largest share of the query; of equal ones, the shortest and first. */
export function bestWindow(
  words: readonly Pick<WeightedWord, 'weight'>[],
  positions: readonly Position[],
  length: number,
): Window | undefined {
  const counts = words.map(() => 0);
  let share = 0;
  let first = 0;
  let best: Window | undefined;
  for (const { at, word } of positions) {
    if (counts[word] === 0) share += words[word]?.weight ?? 0;
    counts[word] = (counts[word] ?? 0) + 1;
    for (let left = positions[first]; left !== undefined; left = positions[first]) {
      const isTooFar = at - left.at > length;
      if (!isTooFar && (counts[left.word] ?? 0) < 2) break;
      counts[left.word] = (counts[left.word] ?? 0) - 1;
      if (counts[left.word] === 0) share -= words[left.word]?.weight ?? 0;
      first += 1;
    }
    const from = positions[first]?.at ?? at;
    const isBetter =
      best === undefined ||
      share > best.share + 1e-9 ||
      (share > best.share - 1e-9 && at - from < best.to - best.from);
    if (isBetter) best = { from, to: at, share };
  }
  return best;
}

function placesOf(word: QueryWord, folded: Haystack, budget: SearchBudget): number[] {
  const needle = needleOf(word);
  if (needle === '') return [];
  const alone = word.isCjk ? [] : indexesOf(needle, folded, word, budget);
  // A sign with a word before it is another one: `-w` is not in `key-w`.
  return alone.length > 0 || /^[-@$]/.test(needle) ? alone : indexesOf(needle, folded, undefined, budget);
}

/** The first occurrences, or as many as the budget suffices for: all, or those where a word stands alone. */
function indexesOf(
  needle: string,
  text: Haystack,
  alone: QueryWord | undefined,
  budget: SearchBudget,
): number[] {
  const found: number[] = [];
  const most = MAX_POSITIONS * Math.ceil(text.length / STRETCH);
  let looked = 0;
  for (let at = text.indexOf(needle); at !== -1 && found.length < most; at = text.indexOf(needle, at + 1)) {
    looked += 1;
    if (looked % PER_LOOK === 0 && budget.isSpent()) break;
    if (alone === undefined || standsAlone(alone, text, at, at + needle.length)) found.push(at);
  }
  return found;
}

function standsAlone({ isPrefix }: QueryWord, text: Haystack, from: number, to: number): boolean {
  const begins = from === 0 || !(isWordCharacter(text, from - 1) || isLongerOption(text, from));
  const ending = to - from <= MAX_SHORT ? MAX_SHORT_ENDING : MAX_ENDING;
  return begins && (isPrefix || restOfWord(text, to) <= ending);
}

/** `--all` has another `-all` in it. */
function isLongerOption(text: Haystack, from: number): boolean {
  return text.charCodeAt(from) === HYPHEN && text.charCodeAt(from - 1) === HYPHEN;
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
