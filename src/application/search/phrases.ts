import type { PageContent } from './page-content.js';
import type { SearchBudget } from './search-budget.js';
import { foldText } from './words/fold.js';
import { scanWords } from './words/scan-words.js';

/** Nothing but signs that join words: no word itself. */
const JOINTS = /^[-_]+$/;
/** Writing that may do without spaces. */
const UNCASED = /\p{Lo}/u;

/** The words of a text, in folded letters. */
export function foldedWords(text: string): string[] {
  // Each character stays one, so a position is the same in both.
  const folded = foldText(text);
  const words: string[] = [];
  for (const { start, end } of scanWords(text)) {
    const word = folded.slice(start, end);
    if (!JOINTS.test(word)) words.push(word);
  }
  return words;
}

/** Place of a phrase: a section, and the range in its text, if the phrase is not in the heading. */
export interface PhrasePlace {
  readonly section: number;
  readonly range?: { readonly from: number; readonly to: number };
}

/**
 * Looks for the words of each phrase next to one another, in the title, in a heading or in the text of a section.
 * @returns where phrases stand, best first, the title left out; undefined when the page lacks one, or the budget does not suffice
 */
export function findPhrases(
  phrases: readonly (readonly string[])[],
  title: string,
  content: PageContent,
  budget: SearchBudget,
): readonly PhrasePlace[] | undefined {
  const wanted = new Set(phrases.map((words) => ({ words, joined: joinedPhrase(words) })));
  const places: PhrasePlace[] = [];
  for (const { folded, text, section, isText } of textsOf(title, content)) {
    if (wanted.size === 0 || budget.isSpent()) break;
    let spaced: string | undefined;
    for (const phrase of wanted) {
      // Cheap, and enough for most texts.
      if (!phrase.words.every((word) => folded.includes(word))) continue;
      spaced ??= ` ${foldedWords(text()).join(' ')} `;
      const at = spaced.indexOf(phrase.joined);
      if (at === -1) continue;
      wanted.delete(phrase);
      if (section !== undefined)
        places.push({ section, ...(isText ? { range: rangeOf(text(), spaced, at, phrase.joined) } : {}) });
    }
  }
  return wanted.size === 0 ? places : undefined;
}

/** Returns the range of a phrase in a text, from its position among the text's words with spaces between them. */
function rangeOf(text: string, spaced: string, at: number, joined: string): { from: number; to: number } {
  const wordsBefore = (position: number) => spaced.slice(0, position).split(' ').length - 2;
  const first = wordsBefore(joined.startsWith(' ') ? at + 1 : at);
  const last = first + joined.trim().split(' ').length - 1;
  const range = { from: 0, to: 0 };
  let number = 0;
  for (const { start, end } of scanWords(text)) {
    if (JOINTS.test(text.slice(start, end))) continue;
    if (number === first) range.from = start;
    if (number === last) range.to = end;
    number += 1;
  }
  return range;
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

interface SearchedText {
  readonly folded: string;
  text(): string;
  readonly section?: number;
  /** Whether it is the text of the section, not its heading. */
  readonly isText: boolean;
}

function* textsOf(title: string, content: PageContent): Generator<SearchedText> {
  yield { folded: foldText(title), text: () => title, isText: false };
  for (let section = 0; section < content.count; section += 1) {
    const { heading = '' } = content.section(section) ?? {};
    yield { folded: foldText(heading), text: () => heading, section, isText: false };
    const { from, to } = content.rangeOf(section);
    yield {
      folded: content.folded.slice(from, to),
      text: () => content.textOf(section),
      section,
      isText: true,
    };
  }
}
