/** Lengths of the words that an index keeps to compare misspelled ones with, in UTF-16 code units. */
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
