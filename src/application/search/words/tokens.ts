import { foldText } from './fold.js';
import { RememberedTokens } from './remembered-tokens.js';
import { isUnspaced, scanWords } from './scan-words.js';
import { stem } from './stem.js';

/** Longest token, in UTF-16 code units. What is longer is cut off: nobody types it. */
const MAX_TOKEN = 64;
/** Characters of a run without spaces whose pairs a word has: more than a query. A heading may be one run. */
const MAX_RUN = 1_000;

/** Two letters, an acronym, or a word of `camelCase`. */
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{N}+/gu;
const IS_CAMEL = /\p{Ll}\p{N}*\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;

/** A word of a text, as it is looked up. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly isCjk: boolean;
  /** The word in folded letters, not stemmed. */
  readonly folded: string;
  /** What the index knows the word by. The first stands for the whole word; the parts of an identifier follow. */
  readonly tokens: readonly string[];
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { start, end, isCjk } of scanWords(text)) {
    const raw = text.slice(start, end);
    const tokens = tokensOf(isCjk ? raw.slice(0, MAX_RUN) : raw);
    if (tokens.length > 0)
      words.push({ start, end, isCjk, folded: foldText(raw).slice(0, MAX_TOKEN), tokens });
  }
  return words;
}

const remembered = new RememberedTokens(computeTokens);

/**
 * The whole word, then the parts of an identifier: `ArrayList` is `arraylist`, `array` and `list`. Writing without spaces
 * is taken in pairs.
 */
export function tokensOf(raw: string): readonly string[] {
  return remembered.of(raw);
}

function computeTokens(raw: string): readonly string[] {
  if (isUnspaced(raw)) return pairsOf(raw);
  // Looked for at the beginning of a run only: a page may have a word of 400,000 underscores.
  const bare = raw.replace(/^[-_]+|(?<!_)_+$/g, '');
  if (bare === '') return [];
  const pieces = bare.split(/[-_]+/).flatMap((piece) => [...partsOf(piece)]);
  const whole = stem(foldText(raw)).slice(0, MAX_TOKEN);
  const parts = pieces.length > 1 || bare !== raw ? pieces.map((piece) => stem(foldText(piece))) : [];
  return [
    ...new Set([whole, ...parts.filter((part) => part.length > 1).map((part) => part.slice(0, MAX_TOKEN))]),
  ];
}

function partsOf(piece: string): Iterable<string> {
  return IS_CAMEL.test(piece) ? (piece.match(CAMEL_PART) ?? [piece]) : [piece];
}

/** Pairs of neighbouring characters, and the last character alone: any single character begins one of them. */
function pairsOf(raw: string): readonly string[] {
  const characters = [...foldText(raw)];
  return [...new Set(characters.map((character, at) => character + (characters[at + 1] ?? '')))];
}
