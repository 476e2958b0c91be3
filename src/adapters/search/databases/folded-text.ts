import type { Haystack } from '../../../application/search/page-content.js';
import { foldText } from '../../../application/search/words/fold.js';

/** A distance is a character from here on, after one of `FAR` for each `RANGE` of it. */
const NEAR = 0x20;
const FAR = 0x7f;
const RANGE = FAR - NEAR;

/**
 * A text as searches look through it, with what it takes to get the text back: a search looks through many texts, and shows two
 * lines of each.
 */
interface FoldedText {
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
    for (; distance >= RANGE; distance -= RANGE) changes += String.fromCharCode(FAR);
    changes += isHalf
      ? String.fromCharCode(NEAR + distance, text.charCodeAt(start), code)
      : String.fromCharCode(NEAR + distance, code);
    before = start;
  }
  return { folded, changes };
}

/**
 * Part of a text.
 * @param folded the part, folded
 * @param changes in all of the text
 * @param from where the part begins
 */
export function unfold(folded: string, changes: Haystack, from = 0): string {
  // Two bytes for each code unit: put together as a string, a text of capital letters would be a string for each of them.
  const text = Buffer.from(folded, 'utf16le');
  let at = -from;
  let next = 0;
  while (next < changes.length) {
    for (; changes.charCodeAt(next) === FAR; next += 1) at += RANGE;
    at += changes.charCodeAt(next) - NEAR;
    if (at >= folded.length) break;
    next += 1;
    const code = changes.charCodeAt(next);
    const isFirstHalf = code >= 0xd800 && code < 0xdc00;
    const halves = isFirstHalf ? 2 : 1;
    for (let half = 0; half < halves; half += 1) {
      if (at + half >= 0 && at + half < folded.length)
        text.writeUInt16LE(changes.charCodeAt(next + half), 2 * (at + half));
    }
    next += halves;
  }
  return text.toString('utf16le');
}
