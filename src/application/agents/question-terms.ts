import { findPositions, type Position } from '../search/positions.js';
import { parseQuery, type QueryWord } from '../search/query/parse-query.js';
import { wordsOfName } from '../search/query/resolve-words.js';
import type { SearchBudget } from '../search/search-budget.js';
import { isSigned, tellingWords } from '../search/telling-words.js';
import { foldText } from '../search/words/fold.js';
import { wordsOf } from '../search/words/tokens.js';

/** Weights of words that a heading, a list item or a row begins with, which explains them: of identifiers and of others. */
const EXPLAINED = { identifier: 1.5, word: 0.5 } as const;
/** Text between the beginning of a line and the word that its item, or its row, begins with: `- **`. */
const ITEM = /^[ >]*(?:#+|[-+*|`]|\d+[.)] )[ *`\\\d.]*$/;
/** Max. characters of this text. */
const MAX_ITEM = 40;
/** An item that says nothing more than this, as in a table of contents. */
const ENTRY = /^[^\n]{0,60}(?:\n(?!\n? )|$)/;
/** Characters of an item that are looked at. */
const MAX_ENTRY = 64;

/** Words of a question, and what it has that is written in one piece. */
export interface Terms {
  readonly words: readonly QueryWord[];
  readonly wholes: readonly string[];
  /** Weight of each where it is explained. */
  readonly explained: readonly number[];
}

/** Whether a heading, a row, or an item of a list begins at a place that says more than a name. */
export function beginsItem(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_ITEM), at);
  const begin = before.slice(before.lastIndexOf('\n') + 1);
  if (!ITEM.test(begin)) return false;
  return /[#|]/.test(begin) || !ENTRY.test(text.slice(at, at + MAX_ENTRY));
}

/** Returns the positions of the terms. A word does not count within a longer one that is asked for, too: `oscil` in `oscili`. */
export function positionsOf({ words, wholes }: Terms, folded: string, budget: SearchBudget): Position[] {
  const lengthOf = ({ word }: Position) => words[word]?.folded.length ?? 0;
  const found = findPositions(words, folded, budget);
  const positions = found.filter((position, at) => {
    const others = [found[at - 1], found[at + 1]];
    return !others.some((other) => other?.at === position.at && lengthOf(other) > lengthOf(position));
  });
  for (const [at, whole] of wholes.entries()) {
    for (const place of placesOfWhole(whole, folded)) {
      positions.push({ at: place, word: words.length + at, isSynonym: false });
    }
  }
  return positions;
}

/** Yields the positions of an identifier, except within longer ones. */
function* placesOfWhole(whole: string, folded: string): Generator<number, void> {
  for (let at = folded.indexOf(whole); at !== -1; at = folded.indexOf(whole, at + whole.length)) {
    const isBegun = /[\w-]/.test(folded.charAt(at - 1));
    const isLonger = /^-?\w/.test(folded.slice(at + whole.length, at + whole.length + 2));
    if (!isBegun && !isLonger) yield at;
  }
}

export function termsOf(query: string, project: string | undefined): Terms {
  const { text, identifiers, wordings } = tellingWords(withoutName(query, project));
  const { words, pieces } = parseQuery(text, undefined, wordings);
  const wholes = [...pieces, ...text.split(' ').filter(isSigned).map(foldText)];
  const names = new Set(identifiers.map(foldText));
  const { identifier, word } = EXPLAINED;
  const explained = [
    ...words.map(({ folded }) => (names.has(folded) ? identifier : word)),
    ...wholes.map(() => identifier),
  ];
  return { words, wholes, explained };
}

/** A question without the name of the project in front of each wording. */
function withoutName(query: string, project: string | undefined): string {
  if (project === undefined) return query;
  const names = new Set(wordsOfName(project).map(({ folded }) => folded));
  const withoutNameOf = (wording: string) => {
    const typed = wording.trim().split(/\s+/);
    const first = typed.findIndex((each) => wordsOf(each).some(({ folded }) => !names.has(folded)));
    return first === -1 ? wording : typed.slice(first).join(' ');
  };
  return query.split('\n').map(withoutNameOf).join('\n');
}
