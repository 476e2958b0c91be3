import { foldText } from '../../../application/search/words/fold.js';

/** A distance is a character from here on, after one of `FAR` for each `RANGE` of it. */
const NEAR = 0x20;
const FAR = '\x7f';
const RANGE = FAR.charCodeAt(0) - NEAR;

/**
 * A text as searches look through it, with what it takes to get the text back: a search looks through many texts, and shows two
 * lines of each.
 */
export interface FoldedText {
  readonly folded: string;
  /** Characters that folding has changed, each after its distance from the one before. A fiftieth to a fifth of the text. */
  readonly changes: string;
}

export function fold(text: string): FoldedText {
  const folded = foldText(text);
  let changes = '';
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === folded.charCodeAt(at)) continue;
    // Of a character of two halves, the second has changed; only both can be written as UTF-8.
    const isHalf = code >= 0xdc00 && code < 0xe000;
    const start = isHalf ? at - 1 : at;
    let distance = start - before;
    for (; distance >= RANGE; distance -= RANGE) changes += FAR;
    changes += isHalf
      ? String.fromCharCode(NEAR + distance, text.charCodeAt(start), code)
      : String.fromCharCode(NEAR + distance, code);
    before = start;
  }
  return { folded, changes };
}

export function unfold({ folded, changes }: FoldedText): string {
  // Two bytes for each code unit: put together as a string, a text of capital letters would be a string for each of them.
  const text = Buffer.from(folded, 'utf16le');
  let at = 0;
  for (let next = 0; next < changes.length; ) {
    for (; changes[next] === FAR; next += 1) at += RANGE;
    at += changes.charCodeAt(next) - NEAR;
    const length = (changes.codePointAt(next + 1) ?? 0) > 0xffff ? 2 : 1;
    for (let half = 0; half < length; half += 1) {
      const code = changes.charCodeAt(next + 1 + half);
      text[2 * (at + half)] = code & 0xff;
      text[2 * (at + half) + 1] = code >> 8;
    }
    next += 1 + length;
  }
  return text.toString('utf16le');
}
