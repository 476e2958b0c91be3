import type { LiveRevision, Synonyms } from '../../ports/search-index.js';
import { foldedWords } from '../phrases.js';
import { foldText } from '../words/fold.js';
import { tokensOf, type Word, wordsOf } from '../words/tokens.js';

/** Characters of a query that are looked at, and words. The rest is ignored. */
export const MAX_QUERY_CHARACTERS = 200;
export const MAX_QUERY_WORDS = 12;

/** One word of a query. */
export interface QueryWord {
  /** Folded, not stemmed. */
  readonly folded: string;
  /** What the index knows the word by. */
  readonly token: string;
  /** Parts of an identifier, which stand for it where nothing has the whole. */
  readonly parts: readonly string[];
  /** Whether longer words count, too: the last word may still be being typed. */
  readonly isPrefix: boolean;
  /** Two neighbouring characters of writing without spaces, or a single one. */
  readonly isCjk: boolean;
  /** Other words that mean the same, and count less. None of them has synonyms. */
  readonly synonyms: readonly QueryWord[];
  /** Words that were typed without a space between them have the same number: `List.of`, `std::vector`. */
  readonly group: number;
  /** Where the word stands in `Query.text`. */
  readonly start: number;
  readonly end: number;
}

export interface Query {
  /** What was typed, without `project:` and what exceeds the limits. */
  readonly text: string;
  readonly words: readonly QueryWord[];
  /** Phrases in quotes, as the folded words that have to follow one another. */
  readonly phrases: readonly (readonly string[])[];
  /** What was typed in one piece and has several words, folded: `list.of`, `java.util.stream`. */
  readonly pieces: readonly string[];
  /** Name after `project:`. */
  readonly project?: string;
}

/**
 * Reads what somebody typed. Everything is text, except `"a phrase"` and `project:name`; an unclosed quote is no quote. Never
 * throws.
 */
export function parseQuery(typed: string, synonyms: Synonyms = new Map()): Query {
  const text = [...typed.slice(0, 2 * MAX_QUERY_CHARACTERS)]
    .slice(0, MAX_QUERY_CHARACTERS)
    .join('')
    .normalize('NFC');
  let project: string | undefined;
  const plain = text.replace(
    /(^|\s)project:([A-Za-z0-9][\w.-]*)(?=\s|$)/g,
    (_, before: string, name: string) => {
      project = name;
      return before;
    },
  );
  return {
    text: plain,
    words: wordsTyped(plain).map((word) => ({ ...word, synonyms: synonymsOf(word, plain, synonyms) })),
    phrases: phrasesIn(plain),
    pieces: piecesOf(plain),
    ...(project === undefined ? {} : { project }),
  };
}

/** The revisions that a query may be about: `project:` names one project. */
export function inProject({ project }: Query, live: readonly LiveRevision[]): readonly LiveRevision[] {
  return project === undefined
    ? live
    : live.filter((each) => each.project.toLowerCase() === project.toLowerCase());
}

/** Each phrase once, and of all together as many words as of a query. */
function phrasesIn(text: string): string[][] {
  const phrases = new Map<string, string[]>();
  let left = MAX_QUERY_WORDS;
  for (const [, quoted = ''] of text.matchAll(/"([^"]*)"/g)) {
    const words = foldedWords(quoted).slice(0, left);
    const key = words.join(' ');
    if (words.length === 0 || phrases.has(key)) continue;
    phrases.set(key, words);
    left -= words.length;
  }
  return [...phrases.values()];
}

function wordsTyped(text: string): QueryWord[] {
  const isUnfinished = !/[\s"]$/.test(text);
  const words: QueryWord[] = [];
  let group = 0;
  let before = 0;
  for (const word of wordsOf(text)) {
    if (/\s/.test(text.slice(before, word.start))) group += 1;
    before = word.end;
    words.push(...(word.isCjk ? pairsTyped(word, group) : [wordTyped(word, group)]));
  }
  const last = words.at(-1);
  const known = new Set<string>();
  return words
    .map((word) => (word === last && isUnfinished ? { ...word, isPrefix: true } : word))
    .toReversed() // The last of equal words may be unfinished.
    .filter(({ folded }) => !known.has(folded) && known.add(folded))
    .toReversed()
    .slice(0, MAX_QUERY_WORDS);
}

function wordTyped({ folded, tokens, isCjk, start, end }: Word, group: number): QueryWord {
  const [token = '', ...parts] = tokens;
  return { folded, token, parts, isPrefix: false, isCjk, synonyms: [], group, start, end };
}

function pairsTyped(run: Word, group: number): QueryWord[] {
  // The last character alone is only asked for when there is nothing else.
  const pairs = run.tokens.length > 1 ? run.tokens.slice(0, -1) : run.tokens;
  return pairs.map((pair) => wordTyped({ ...run, folded: pair, tokens: [pair] }, group));
}

/** The synonyms of a word, as it was typed or without its accents. Those of several words are left out. */
function synonymsOf({ folded, start, end }: QueryWord, text: string, synonyms: Synonyms): QueryWord[] {
  const others = synonyms.get(text.slice(start, end).toLowerCase()) ?? synonyms.get(folded) ?? [];
  return others.flatMap((other) => {
    // The space says that the word is finished.
    const words = wordsTyped(`${other} `);
    return words.length === 1 ? words : [];
  });
}

function piecesOf(text: string): string[] {
  const pieces = text.split(/[\s"]+/).filter((piece) => piece !== '' && wordsTyped(piece).length > 1);
  return [...new Set(pieces.map(foldText))];
}

/** The word and its synonyms. */
export function withSynonyms(word: QueryWord): readonly QueryWord[] {
  return [word, ...word.synonyms];
}

/** The word with another spelling, without synonyms. */
export function respelled(word: QueryWord, folded: string): QueryWord {
  const [token = '', ...parts] = tokensOf(folded);
  return { ...word, folded, token, parts, synonyms: [], isPrefix: false };
}
