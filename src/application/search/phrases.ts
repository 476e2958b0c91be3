import type { Section } from '../../formats/html/index.js';
import { foldText } from './words/fold.js';
import { wordsOf } from './words/tokens.js';

/** Whether a page has the words of a phrase next to one another, in its title, in a heading or in the text of a section. */
export function hasPhrase(phrase: readonly string[], title: string, sections: readonly Section[]): boolean {
  return (
    isIn(phrase, title) || sections.some(({ heading, text }) => isIn(phrase, heading) || isIn(phrase, text))
  );
}

function isIn(phrase: readonly string[], text: string): boolean {
  const folded = foldText(text);
  // Cheap, and enough for most texts.
  if (!phrase.every((word) => folded.includes(word))) return false;
  const words = wordsOf(text).map((word) => word.folded);
  return words.some((_, start) =>
    phrase.every((word, at) => isAnswered(word, words[start + at], at, phrase.length)),
  );
}

/** Runs without spaces may begin before a phrase and end after it. */
function isAnswered(wanted: string, word: string | undefined, at: number, length: number): boolean {
  if (word === undefined) return false;
  if (word === wanted) return true;
  if (!/\p{Lo}/u.test(wanted)) return false;
  const isFirst = at === 0;
  const isLast = at === length - 1;
  if (isFirst && isLast) return word.includes(wanted);
  return isFirst ? word.endsWith(wanted) : isLast && word.startsWith(wanted);
}
