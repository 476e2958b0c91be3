/** Case folding for search. Upper case last: it makes `ß` and `SS`, or the two small sigmas, the same; some capitals come decomposed. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}

/** A part of a text: whether it is what was searched for. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/**
 * Cuts a text into what matches a search term and what stands between, so that a page can mark it. The pieces
 * together are the text. A match that cannot be told apart, inside a ligature say, is left unmarked.
 */
export function piecesOf(text: string, term: string): readonly Piece[] {
  const wanted = fold(term);
  const characters = [...text];
  const folded = characters.map(fold);
  const whole = folded.join('');
  if (wanted === '' || !whole.includes(wanted)) return [{ text, isMatch: false }];
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
