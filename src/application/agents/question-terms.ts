import { findPositions, type Position } from '../search/positions.js';
import { parseQuery, type QueryWord } from '../search/query/parse-query.js';
import { wordsOfName } from '../search/query/resolve-words.js';
import type { SearchBudget } from '../search/search-budget.js';
import { isOption, tellingWords } from '../search/telling-words.js';
import { foldText } from '../search/words/fold.js';
import { wordsOf } from '../search/words/tokens.js';

/** Weight of a word that a heading, an item of a list, or a row begins with: it is explained there. Of an identifier, and of others. */
const EXPLAINED = { identifier: 1, word: 0.5 } as const;
/** Between the beginning of a line and the word that its item, or its row, begins with: `- **`. */
const ITEM = /^[ >]*(?:#+|[-+*|`]|\d+[.)] )[ *`\\\d.]*$/;
/** Max. characters of it. */
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

/** Where the terms stand. A word does not stand where a longer one does: `oscil` in `oscili`, where both are asked for. */
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

/** Where an identifier stands, not as a part of a longer one. */
function* placesOfWhole(whole: string, folded: string): Generator<number, void> {
  for (let at = folded.indexOf(whole); at !== -1; at = folded.indexOf(whole, at + whole.length)) {
    const isBegun = /[\w-]/.test(folded.charAt(at - 1));
    const isLonger = /^-?\w/.test(folded.slice(at + whole.length, at + whole.length + 2));
    if (!isBegun && !isLonger) yield at;
  }
}

export function termsOf(query: string, project: string | undefined): Terms {
  const { text, identifiers } = tellingWords(withoutName(query, project));
  const { words, pieces } = parseQuery(text);
  const wholes = [...pieces, ...text.split(' ').filter(isOption).map(foldText)];
  const names = new Set(identifiers.map(foldText));
  const { identifier, word } = EXPLAINED;
  const explained = [
    ...words.map(({ folded }) => (names.has(folded) ? identifier : word)),
    ...wholes.map(() => identifier),
  ];
  return { words, wholes, explained };
}

/** A question without the name of the project in front of it. */
function withoutName(query: string, project: string | undefined): string {
  if (project === undefined) return query;
  const names = new Set(wordsOfName(project).map(({ folded }) => folded));
  const typed = query.trim().split(/\s+/);
  const first = typed.findIndex((each) => wordsOf(each).some(({ folded }) => !names.has(folded)));
  return first === -1 ? query : typed.slice(first).join(' ');
}
