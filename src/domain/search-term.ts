/** Case folding for search. Upper case last: it makes `ß` and `SS`, or the two small sigmas, the same; some capitals come decomposed. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** Max. characters of a term as it is typed: twice as many as a directory name has. */
export const MAX_TERM_CHARACTERS = 200;
/**
 * Max. UTF-16 code units of a folded term. Every script folds a letter to four or fewer; single signs stand for
 * whole phrases (U+FDFA: 18), and they alone reach it.
 */
export const MAX_FOLDED_TERM = 4 * MAX_TERM_CHARACTERS;

/** What someone searches for, folded once for all the names that it is compared with. */
export class SearchTerm {
  /** The empty term, which every name contains. */
  static readonly none = new SearchTerm('', '');

  private constructor(
    /** As it was typed. */
    readonly text: string,
    readonly folded: string,
  ) {}

  /** The term, or undefined when it is too long: `MAX_TERM_CHARACTERS`, and four times as many once folded. */
  static of(text: string): SearchTerm | undefined {
    // No character takes more than two code units: longer texts need not be counted.
    if (text.length > 2 * MAX_TERM_CHARACTERS || [...text].length > MAX_TERM_CHARACTERS) return undefined;
    const folded = fold(text);
    return folded.length > MAX_FOLDED_TERM ? undefined : new SearchTerm(text, folded);
  }

  get isEmpty(): boolean {
    return this.text === '';
  }
}

/** A part of a text: whether it is what was searched for. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Max. UTF-16 code units of a text in which matches are marked: each letter of it is folded by itself. */
const MAX_MARKED = 1_000;

/**
 * Cuts a text into what matches a search term and what stands between, so that a page can mark it. The pieces
 * together are the text. A match that cannot be told apart, inside a ligature say, is left unmarked; so is every
 * match in a text of more than 1,000 code units.
 */
export function piecesOf(text: string, { folded: wanted }: SearchTerm): readonly Piece[] {
  if (wanted === '' || text.length > MAX_MARKED) return [{ text, isMatch: false }];
  const characters = [...text];
  const folded = characters.map(fold);
  const whole = folded.join('');
  if (!whole.includes(wanted)) return [{ text, isMatch: false }];
  const starts = new Map<number, number>();
  let offset = 0;
  for (const [index, character] of folded.entries()) {
    starts.set(offset, index);
    offset += character.length;
  }
  starts.set(offset, characters.length);

  const pieces: Piece[] = [];
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) pieces.push({ text: characters.slice(from, to).join(''), isMatch });
  };
  let done = 0;
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + wanted.length)) {
    const from = starts.get(at);
    const to = starts.get(at + wanted.length);
    if (from === undefined || to === undefined) continue;
    add(done, from, false);
    add(from, to, true);
    done = to;
  }
  add(done, characters.length, false);
  return pieces;
}
