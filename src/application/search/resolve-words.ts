import { type Query, type QueryWord, respelled } from './parse-query.js';
import type { KnownWord } from './weigh-words.js';
import { tokensOf } from './words/tokens.js';
import { signatureOf, typosAllowed, typosBetween } from './words/typos.js';

/** What an index of one revision knows of words. */
export interface WordSource {
  /** Number of pages that have a token. */
  pagesWith(token: string): number;
  /** Whether a page has a longer token that begins with this one. */
  hasPrefix(token: string): boolean;
  /** Words of titles, names and headings of one length that may be within so many typos of a word. */
  spellingsNear(length: number, signature: number, typos: number): readonly string[];
}

export interface ResolvedWords {
  readonly words: readonly KnownWord[];
  /** The query with the words that stand for misspelled ones. */
  readonly correctedTo?: string;
}

/** Spellings of equal distance that are compared by how many pages have them. */
const MOST_COMPARED = 40;

/**
 * Looks up each word of a query. A word that no page has is replaced by one that differs by a typo, else by its parts if
 * it is an identifier. A word for which there is neither is kept, with no pages.
 */
export function resolveWords({ text, words, project }: Query, sources: readonly WordSource[]): ResolvedWords {
  let corrected = text;
  let isCorrected = false;
  const resolved: KnownWord[] = [];
  for (const word of words.toReversed()) {
    const { known, spelling } = resolveWord(word, sources);
    resolved.unshift(...known);
    if (spelling === undefined) continue;
    corrected = corrected.slice(0, word.start) + spelling + corrected.slice(word.end);
    isCorrected = true;
  }
  if (!isCorrected) return { words: resolved };
  const filter = project === undefined ? '' : `project:${project} `;
  return { words: resolved, correctedTo: filter + corrected.trim() };
}

function resolveWord(
  word: QueryWord,
  sources: readonly WordSource[],
): { known: KnownWord[]; spelling?: string } {
  const whole = known(word, sources);
  if (isAnswered(whole, sources)) return { known: [whole] };
  const spelling = closestSpelling(word, sources);
  if (spelling !== undefined) return { known: [known(respelled(word, spelling), sources)], spelling };
  const parts = word.parts.map((part) => known({ ...word, folded: part, token: part, parts: [] }, sources));
  const areAnswered = parts.length > 1 && parts.every((part) => isAnswered(part, sources));
  return { known: areAnswered ? parts : [whole] };
}

function known(word: QueryWord, sources: readonly WordSource[]): KnownWord {
  return { ...word, pages: pagesWith(word.token, sources) };
}

function isAnswered({ pages, isPrefix, token }: KnownWord, sources: readonly WordSource[]): boolean {
  return pages > 0 || (isPrefix && sources.some((source) => source.hasPrefix(token)));
}

function pagesWith(token: string, sources: readonly WordSource[]): number {
  return sources.reduce((sum, source) => sum + source.pagesWith(token), 0);
}

/** The spelling with the fewest typos; of several, one with the same first letter, then the most common. */
function closestSpelling({ folded, isCjk }: QueryWord, sources: readonly WordSource[]): string | undefined {
  const most = isCjk ? 0 : typosAllowed(folded.length);
  if (most === 0) return undefined;
  const signature = signatureOf(folded);
  const spellings = new Set<string>();
  for (const source of sources) {
    for (let length = folded.length - most; length <= folded.length + most; length += 1) {
      for (const each of source.spellingsNear(length, signature, most)) spellings.add(each);
    }
  }
  return [...spellings]
    .map((spelling) => ({
      spelling,
      typos: typosBetween(folded, spelling, most) + (spelling[0] === folded[0] ? 0 : 0.5),
    }))
    .filter(({ typos }) => typos < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.typos - b.typos)
    .filter(({ typos }, _at, sorted) => typos === sorted[0]?.typos)
    .slice(0, MOST_COMPARED)
    .map(({ spelling }) => ({ spelling, pages: pagesWith(tokensOf(spelling)[0] ?? '', sources) }))
    .sort((a, b) => b.pages - a.pages || (a.spelling < b.spelling ? -1 : 1))
    .find(({ pages }) => pages > 0)?.spelling;
}
