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
    const start = code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
    let distance = start - before;
    for (; distance >= RANGE; distance -= RANGE) changes += FAR;
    changes += String.fromCharCode(NEAR + distance) + text.slice(start, at + 1);
    before = start;
  }
  return { folded, changes };
}

export function unfold({ folded, changes }: FoldedText): string {
  let text = '';
  let at = 0;
  let done = 0;
  for (let next = 0; next < changes.length; ) {
    while (changes[next] === FAR) {
      at += RANGE;
      next += 1;
    }
    at += changes.charCodeAt(next) - NEAR;
    const character = String.fromCodePoint(changes.codePointAt(next + 1) ?? 0);
    next += 1 + character.length;
    text += folded.slice(done, at) + character;
    done = at + character.length;
  }
  return text + folded.slice(done);
}
