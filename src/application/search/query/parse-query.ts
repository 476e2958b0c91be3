import { isFunctionWord } from '../../../domain/catalogue/ordinary-words.js';
import type { LiveRevision, Synonyms } from '../../ports/search-index.js';
import { foldedWords } from '../phrases.js';
import { foldText } from '../words/fold.js';
import { tokensOf, type Word, wordsOf } from '../words/tokens.js';

/** Characters of a query that are looked at, and words. The rest is ignored. */
export const MAX_QUERY_CHARACTERS = 200;
export const MAX_QUERY_WORDS = 12;
/** Words that tell what is looked for, so that others need not be there. */
const MIN_TELLING = 2;

/** Word of a query. */
export interface QueryWord {
  /** Folded, not stemmed. */
  readonly folded: string;
  /** Token of the word in the index. */
  readonly token: string;
  /** Parts of an identifier, searched for in its place where no page has the whole. */
  readonly parts: readonly string[];
  /** Whether longer words count, too: the last word may still be being typed. */
  readonly isPrefix: boolean;
  /** Two neighbouring characters of writing without spaces, or a single one. */
  readonly isCjk: boolean;
  /** Whether the word adds nothing to the others, so that a page need not have it. */
  readonly isFiller: boolean;
  /** Other words that mean the same, and count less. None of them has synonyms. */
  readonly synonyms: readonly QueryWord[];
  /** Words that were typed without a space between them have the same number: `List.of`, `std::vector`. */
  readonly group: number;
  /** Range of the word in `Query.text`. */
  readonly start: number;
  readonly end: number;
}

export interface Query {
  /** The query as typed, without `project:` and without the part that exceeds the limits. */
  readonly text: string;
  readonly words: readonly QueryWord[];
  /** Phrases in quotes, as the folded words that have to follow one another. */
  readonly phrases: readonly (readonly string[])[];
  /** Parts that have several words without a space between them, folded: `list.of`, `java.util.stream`. */
  readonly pieces: readonly string[];
  /** Name after `project:`. */
  readonly project?: string;
}

/**
 * Reads what somebody typed. Everything is text, except `"a phrase"` and `project:name`; an unclosed quote is no quote. Never
 * throws.
 * @param wordings number of queries that it is in one
 */
export function parseQuery(typed: string, synonyms: Synonyms = new Map(), wordings = 1): Query {
  const most = wordings * MAX_QUERY_CHARACTERS;
  const text = [...typed.slice(0, 2 * most)].slice(0, most).join('').normalize('NFC');
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
    words: withFillers(wordsTyped(plain, wordings)).map((word) => ({
      ...word,
      synonyms: synonymsOf(word, plain, synonyms),
    })),
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

function wordsTyped(text: string, wordings = 1): QueryWord[] {
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
    .slice(0, wordings * MAX_QUERY_WORDS);
}

/** Says which words are fillers: none where fewer than two others would be left, in one piece with others, or unfinished. */
function withFillers(words: readonly QueryWord[]): readonly QueryWord[] {
  const isFiller = ({ folded, isPrefix, group }: QueryWord) =>
    !isPrefix && isFunctionWord(folded) && words.filter((other) => other.group === group).length === 1;
  if (words.filter((word) => !isFiller(word)).length < MIN_TELLING) return words;
  return words.map((word) => ({ ...word, isFiller: isFiller(word) }));
}

function wordTyped({ folded, tokens, isCjk, start, end }: Word, group: number): QueryWord {
  const [token = '', ...parts] = tokens;
  return { folded, token, parts, isPrefix: false, isCjk, isFiller: false, synonyms: [], group, start, end };
}

function pairsTyped(run: Word, group: number): QueryWord[] {
  // The last character alone is only asked for when there is nothing else.
  const pairs = run.tokens.length > 1 ? run.tokens.slice(0, -1) : run.tokens;
  return pairs.map((pair) => wordTyped({ ...run, folded: pair, tokens: [pair] }, group));
}

/** The synonyms of a word, as it was typed or without its accents. Synonyms of several words are left out. */
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
