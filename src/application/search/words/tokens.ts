import { foldText } from './fold.js';
import { isUnspaced, scanWords } from './scan-words.js';

/** Longest token, in UTF-16 code units. The rest is cut off: nobody types it. */
const MAX_TOKEN = 64;
/** Characters of a run without spaces that are indexed as pairs: more than a query has. A heading may be one run. */
const MAX_RUN = 1_000;
/** Two letters, an acronym, or a word of `camelCase`. */
const CAMEL_PART = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{N}+/gu;
const IS_CAMEL = /\p{Ll}\p{N}*\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
/** Longest word that is remembered, in UTF-16 code units. Longer ones hardly come again, and may have thousands of tokens. */
const MAX_WORD = 64;
/** Max. strings: words, and their tokens. Each has as many characters as a word may have, at most. */
const MAX_STRINGS = 200_000;
const VOWEL = /[aeiouy]/;
const LETTERS = /^[a-z]{4,}$/;

/** A word of a text, as it is looked up. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly isCjk: boolean;
  /** The word in folded letters, not stemmed. */
  readonly folded: string;
  /** Tokens of the word in the index: that of the whole word first, then those of the parts of an identifier. */
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

/**
 * The whole word, then the parts of an identifier: `ArrayList` is `arraylist`, `array` and `list`. Writing without spaces
 * is taken in pairs.
 */
export function tokensOf(raw: string): readonly string[] {
  return remembered.of(raw);
}

/**
 * Removes the common endings of English words, so that `functions`, `caching` and `cached` are found by `function` and
 * `cache`. Light on purpose: words of other languages, names and identifiers stay as they are.
 */
export function stem(word: string): string {
  if (!LETTERS.test(word)) return word;
  return withoutE(withoutSuffix(withoutPlural(word)));
}

/** The tokens of words that were seen lately: the same few thousand words make up most of a text. */
export class RememberedTokens {
  private tokens = new Map<string, readonly string[]>();
  private strings = 0;

  constructor(private readonly compute: (raw: string) => readonly string[]) {}

  /** Number of strings that are kept. */
  get size(): number {
    return this.strings;
  }

  of(raw: string): readonly string[] {
    if (raw.length > MAX_WORD) return this.compute(raw);
    return this.tokens.get(raw) ?? this.remember(raw);
  }

  private remember(raw: string): readonly string[] {
    // A part of a text keeps all of it in memory; a copy does not.
    const copy = Buffer.from(raw).toString();
    const tokens = this.compute(copy);
    if (this.strings >= MAX_STRINGS) {
      this.tokens = new Map();
      this.strings = 0;
    }
    this.tokens.set(copy, tokens);
    this.strings += 1 + tokens.length;
    return tokens;
  }
}

const remembered = new RememberedTokens(computeTokens);

function computeTokens(raw: string): readonly string[] {
  if (isUnspaced(raw)) return pairsOf(raw);
  // Looked for at the beginning of a run only: a page may have a word of 400,000 underscores.
  const bare = raw.replace(/^[-_@$]+|(?<!_)_+$/g, '');
  if (bare === '') return [];
  const pieces = bare.split(/[-_]+/).flatMap((piece) => [...partsOf(piece)]);
  const whole = stem(foldText(raw)).slice(0, MAX_TOKEN);
  const parts = pieces.length > 1 || bare !== raw ? pieces.map((piece) => stem(foldText(piece))) : [];
  // A letter tells something where it is all of a name: `-w`, `$x`.
  const shortest = pieces.length === 1 && /^[-@$]/.test(raw) ? 1 : 2;
  const telling = parts.filter((part) => part.length >= shortest).map((part) => part.slice(0, MAX_TOKEN));
  return [...new Set([whole, ...telling])];
}

function partsOf(piece: string): Iterable<string> {
  return IS_CAMEL.test(piece) ? (piece.match(CAMEL_PART) ?? [piece]) : [piece];
}

/** Pairs of neighbouring characters, and the last character alone: any single character begins one of them. */
function pairsOf(raw: string): readonly string[] {
  const characters = [...foldText(raw)];
  return [...new Set(characters.map((character, at) => character + (characters[at + 1] ?? '')))];
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:sses|xes|ches|shes|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutSuffix(word: string): string {
  for (const suffix of ['ing', 'ed']) {
    const rest = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && rest.length >= 3 && VOWEL.test(rest)) return undoubled(rest);
  }
  return word;
}

/** `mapp` -> `map`, but `fill` stays. */
function undoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
