import type { Section } from '../../formats/html/index.js';
import type { SearchBudget } from './search-budget.js';
import { foldText } from './words/fold.js';
import { scanWords } from './words/scan-words.js';

/** Nothing but signs that join words: no word itself. */
const JOINTS = /^[-_]+$/;
const isJoint = (code: number) => code === 0x5f || code === 0x2d;
/** Writing that may do without spaces. */
const UNCASED = /\p{Lo}/u;

/** The words of a text, in folded letters. */
export function foldedWords(text: string): string[] {
  // Each character stays one, so a position is the same in both.
  const folded = foldText(text);
  const words: string[] = [];
  scanWords(text, (start, end) => {
    const word = folded.slice(start, end);
    if (!(isJoint(word.charCodeAt(0)) && JOINTS.test(word))) words.push(word);
  });
  return words;
}

/**
 * Whether a page has the words of each phrase next to one another, in its title, in a heading or in the text of a section.
 * A page that the budget does not suffice for counts as one without them.
 */
export function hasPhrases(
  phrases: readonly (readonly string[])[],
  title: string,
  sections: readonly Section[],
  budget: SearchBudget,
): boolean {
  const wanted = new Set(phrases.map((words) => ({ words, joined: joinedPhrase(words) })));
  for (const text of textsOf(title, sections)) {
    if (wanted.size === 0 || budget.isSpent()) break;
    const folded = foldText(text);
    let spaced: string | undefined;
    for (const phrase of wanted) {
      // Cheap, and enough for most texts.
      if (!phrase.words.every((word) => folded.includes(word))) continue;
      spaced ??= ` ${foldedWords(text).join(' ')} `;
      if (spaced.includes(phrase.joined)) wanted.delete(phrase);
    }
  }
  return wanted.size === 0;
}

/**
 * The phrase as it stands in a text whose words have one space between them. Runs without spaces may begin before a phrase
 * and end after it.
 */
function joinedPhrase(words: readonly string[]): string {
  const before = UNCASED.test(words[0] ?? '') ? '' : ' ';
  const after = UNCASED.test(words.at(-1) ?? '') ? '' : ' ';
  return before + words.join(' ') + after;
}

function* textsOf(title: string, sections: readonly Section[]): Generator<string> {
  yield title;
  for (const { heading, text } of sections) {
    yield heading;
    yield text;
  }
}
