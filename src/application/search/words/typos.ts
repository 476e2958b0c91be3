/** Words of one length that a misspelled word may have meant, as they are kept beside an index. */
export const MIN_SPELLING = 3;
export const MAX_SPELLING = 40;

/** Typos that a word of this length may have: none, 1 from 4 letters on, 2 from 8 on. */
export function typosAllowed(length: number): number {
  return length >= 8 ? 2 : length >= 4 ? 1 : 0;
}

/** A bit for each letter of a word. Each typo changes two bits at most, so most words are told apart without comparing. */
export function signatureOf(word: string): number {
  let signature = 0;
  for (let at = 0; at < word.length; at += 1) signature |= 1 << (word.charCodeAt(at) % 31);
  return signature;
}

/** Whether words of these signatures may be within so many typos of each other. */
export function mayBeClose(signature: number, other: number, typos: number): boolean {
  let differing = signature ^ other;
  let bits = 0;
  while (differing !== 0) {
    differing &= differing - 1;
    bits += 1;
    if (bits > 2 * typos) return false;
  }
  return true;
}

/**
 * Damerau-Levenshtein distance of two words (insertions, deletions, replacements, swaps of neighbours), or infinite when
 * it exceeds `max`.
 */
export function typosBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line += 1) {
    const current = [line];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[line - 1] === b[column - 1];
      let typos = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      if (line > 1 && column > 1 && a[line - 1] === b[column - 2] && a[line - 2] === b[column - 1]) {
        typos = Math.min(typos, (beforeLast[column - 2] as number) + 1);
      }
      current.push(typos);
    }
    if (Math.min(...current) > max) return Number.POSITIVE_INFINITY;
    [beforeLast, last] = [last, current];
  }
  const typos = last[b.length] as number;
  return typos <= max ? typos : Number.POSITIVE_INFINITY;
}
