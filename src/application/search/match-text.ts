import type { WeightedWord } from './found-page.js';
import { type QueryWord, withSynonyms } from './query/parse-query.js';
import { RANKING as R } from './ranking-weights.js';
import { type Word, wordsOf } from './words/tokens.js';

/** Likeness of a word of a text to a word of the query, or a synonym: 1 for the word itself, 0 for another word. */
export function likeness(wanted: QueryWord, word: Word): number {
  return wanted.synonyms.reduce(
    (best, synonym) => Math.max(best, R.synonym * likenessOfWord(synonym, word)),
    likenessOfWord(wanted, word),
  );
}

/** Match of a short text, such as a title, with a query. */
export interface TextMatch {
  /** Likeness of the best word for each word of the query. */
  readonly likenesses: readonly number[];
  /** Share of the query that the text has, 0 to 1. */
  readonly share: number;
  /** Share of the text that answers the query, 0 to 1: 1 where the text says nothing else. */
  readonly coverage: number;
}

export function matchText(wanted: readonly WeightedWord[], text: string): TextMatch {
  const likenesses = wanted.map(() => 0);
  let covered = 0;
  let length = 0;
  for (const word of wordsOf(text)) {
    let best = 0;
    for (const [at, each] of wanted.entries()) {
      const like = likeness(each, word);
      if (like > (likenesses[at] ?? 0)) likenesses[at] = like;
      // Pairs of a run without spaces cover it together.
      best = each.isCjk ? best + like : Math.max(best, like);
    }
    const size = word.isCjk ? Math.max(1, word.folded.length - 1) : 1;
    covered += Math.min(best, size);
    length += size;
  }
  const share = wanted.reduce((sum, { weight }, at) => sum + weight * (likenesses[at] ?? 0), 0);
  return { likenesses, share, coverage: length === 0 ? 0 : covered / length };
}

/** Letters of which every text contains some that has one of the words or a synonym. */
export function needlesOf(words: readonly QueryWord[]): string[] {
  return words
    .flatMap(withSynonyms)
    .map(needleOf)
    .filter((needle) => needle !== '');
}

/** Letters that every form of the word contains, so that most texts need not be looked at word by word. */
export function needleOf({ isCjk, token }: QueryWord): string {
  return !isCjk && token.length > 3 && token.endsWith('y') ? token.slice(0, -1) : token;
}

function likenessOfWord(wanted: QueryWord, word: Word): number {
  if (word.folded === wanted.folded) return 1;
  if (wanted.isCjk !== word.isCjk) return 0;
  if (wanted.isCjk) return word.folded.includes(wanted.folded) ? R.stemmed : 0;
  if (word.tokens[0] === wanted.token) return R.stemmed;
  if (word.tokens.includes(wanted.token)) return R.part;
  if (!wanted.isPrefix || !word.folded.startsWith(wanted.folded)) return 0;
  return R.prefix + (R.stemmed - R.prefix) * (wanted.folded.length / word.folded.length);
}
