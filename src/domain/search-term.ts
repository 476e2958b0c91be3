import { quote } from './refusal/refusal.js';
import { decodedComponent, withoutTrailingSlashes } from './site-path.js';

/** Endings of pages that say nothing about them. */
const ENDING = /(?:^|\/)index\.html?$|\.(?:x?html?|php|md|rst|txt)$/i;
/** Components whose words say what a page is about: its own name, and that of its directory. */
const MAX_TELLING = 2;

/** Folds case for search. Upper case makes `ß` and `SS`, or both small sigmas, equal, and decomposes some capitals. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** Max. characters of a search term as typed. */
export const MAX_TERM_CHARACTERS = 200;

/**
 * Max. UTF-16 code units of a folded term. A letter of any script folds to four at most; only ligatures of whole
 * phrases (U+FDFA: 18) can exceed the limit.
 */
export const MAX_FOLDED_TERM = 4 * MAX_TERM_CHARACTERS;

/** A search term, folded once for all comparisons. */
export class SearchTerm {
  /** The empty term, which every name contains. */
  static readonly none = new SearchTerm('', '');

  private constructor(
    /** The term as typed. */
    readonly text: string,
    readonly folded: string,
    /** The words between white space, folded. */
    readonly words: readonly string[] = folded.split(/\s+/).filter((word) => word !== ''),
  ) {}

  /** Returns the term, or undefined when it exceeds `MAX_TERM_CHARACTERS` or `MAX_FOLDED_TERM`. */
  static of(text: string): SearchTerm | undefined {
    // A character has two code units at most, so longer texts need not be counted.
    if (text.length > 2 * MAX_TERM_CHARACTERS || [...text].length > MAX_TERM_CHARACTERS) return undefined;
    const folded = fold(text);
    return folded.length > MAX_FOLDED_TERM ? undefined : new SearchTerm(text, folded);
  }

  get isEmpty(): boolean {
    return this.text === '';
  }
}

/** A part of a text that matches words of a search, or lies between matches. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Max. UTF-16 code units of a text in which matches are marked: each character is folded separately. */
const MAX_MARKED = 1_000;

/**
 * Splits a text into matches of a term's words and the parts between them, so that a page can mark matches. Joined, the
 * pieces are the text. Matches that begin or end inside a character, such as a ligature, are not marked; nor is
 * any in a text of more than 1,000 code units.
 */
export function piecesOf(text: string, { words }: SearchTerm): readonly Piece[] {
  const unmarked = [{ text, isMatch: false }];
  if (words.length === 0 || text.length > MAX_MARKED) return unmarked;
  const characters = [...text];
  const folded = characters.map(fold);
  const whole = folded.join('');
  const found = words.filter((word) => whole.includes(word));
  if (found.length === 0) return unmarked;
  const starts = new Map<number, number>();
  let offset = 0;
  for (const [index, character] of folded.entries()) {
    starts.set(offset, index);
    offset += character.length;
  }
  starts.set(offset, characters.length);

  const isMarked = new Uint8Array(characters.length);
  for (const word of found) {
    for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length)) {
      const [from, to] = [starts.get(at), starts.get(at + word.length)];
      if (from !== undefined && to !== undefined) isMarked.fill(1, from, to);
    }
  }
  const pieces: Piece[] = [];
  let from = 0;
  for (let to = 1; to <= characters.length; to++) {
    if (to < characters.length && isMarked[to] === isMarked[from]) continue;
    pieces.push({ text: characters.slice(from, to).join(''), isMatch: isMarked[from] === 1 });
    from = to;
  }
  return pieces;
}

/**
 * Returns the words in the path of a page, to search for it: `getting started install` for `en/getting-started/install.html`.
 * @param page path inside a site, percent-encoded
 */
export function wordsOfPage(page: string): string {
  const path = withoutTrailingSlashes(decodedComponent(page)).replace(ENDING, '');
  const telling = path.split('/').slice(-MAX_TELLING).join(' ');
  const words = new Set(telling.match(/[\p{L}\p{M}\p{N}]+(?:\.\p{N}+)*/gu));
  return [...[...words].join(' ')].slice(0, MAX_TERM_CHARACTERS).join('');
}

/** Max. number of pages found by a search that can be paged through. */
export const MAX_RESULTS = 200;

/** Says that a page is too long to be searched to its end. @param heading the last one that is searched; may be empty */
export function searchedTo(heading: string): string {
  return heading === ''
    ? 'Only the beginning of this page is searched: the rest is too long'
    : `This page is searched up to ${quote(heading)}: the rest is too long`;
}

/** Says which words of a search a page lacks. */
export function lackedBy(words: readonly string[]): string {
  return `Without ${words.join(', ')}`;
}
