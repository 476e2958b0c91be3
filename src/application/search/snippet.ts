import { CODE_LINE } from '../../formats/html/text-run.js';
import type { SnippetRun } from '../ports/search-index.js';
import type { WeightedWord } from './found-page.js';
import { likeness } from './match-text.js';
import { bestWindow } from './positions.js';
import type { RankedPage } from './rank-page.js';
import { MAX_BEFORE_FIRST_WORD, MAX_SNIPPET, MIN_MARKED_LIKENESS } from './ranking-weights.js';
import { type Word, wordsOf } from './words/tokens.js';

/** Characters that are skipped at most in search of the beginning of a word. */
const MAX_TO_WORD = 20;

/**
 * The stretch of a section that says most about the query, or its beginning, with the words of the query marked. Lines of code
 * stay lines.
 * @param wanted the stretch of its text that has to be in it
 * @param length max. characters: a longer one begins where a short one does
 */
export function snippetOf(
  { page: { words, content }, positions }: Pick<RankedPage, 'page' | 'positions'>,
  section: number,
  wanted?: { readonly from: number; readonly to: number },
  length = MAX_SNIPPET,
): SnippetRun[] {
  const { from, to } = content.rangeOf(section);
  const inSection = positions.filter(({ at }) => at >= from && at < to);
  const best =
    wanted?.from ?? (bestWindow(words, inSection, MAX_SNIPPET - MAX_BEFORE_FIRST_WORD)?.from ?? from) - from;
  // A long phrase has less before it.
  const before = Math.max(
    0,
    Math.min(MAX_BEFORE_FIRST_WORD, MAX_SNIPPET - ((wanted?.to ?? 0) - (wanted?.from ?? 0))),
  );
  const first = Math.max(0, best - before);
  // With a character more on either side, which may belong to the first or the last one.
  const begin = Math.max(0, first - 1);
  const text = content.textOf(section, begin, first + MAX_TO_WORD + length + 1);
  const start = wordStart(text, first - begin);
  const end = wordEnd(text, Math.min(text.length, start + length));
  const shown = text.slice(start, end).replace(/\s/g, (space) => (space === CODE_LINE ? '\n' : ' '));
  const runs = markedRuns(shown, words);
  if (begin + start > 0) runs.unshift({ text: '… ', isMarked: false });
  if (begin + end < to - from) runs.push({ text: ' …', isMarked: false });
  return runs;
}

/** A text with the words of the query marked. Joined, the runs are the text. */
function markedRuns(text: string, words: readonly WeightedWord[]): SnippetRun[] {
  const runs: SnippetRun[] = [];
  const add = (from: number, to: number, isMarked: boolean) => {
    if (to > from) runs.push({ text: text.slice(from, to), isMarked });
  };
  let done = 0;
  for (const word of wordsOf(text)) {
    for (const { start, end } of markedParts(word, words)) {
      add(done, start, false);
      add(start, end, true);
      done = end;
    }
  }
  add(done, text.length, false);
  return runs;
}

function markedParts(word: Word, words: readonly WeightedWord[]) {
  if (!word.isCjk) {
    return words.some((each) => likeness(each, word) >= MIN_MARKED_LIKENESS)
      ? [{ start: word.start, end: word.end }]
      : [];
  }
  // In a run without spaces, only the words that were searched for are marked.
  const marked = Array.from({ length: word.folded.length }, () => false);
  for (const { folded } of words.filter(({ isCjk }) => isCjk)) {
    for (let at = word.folded.indexOf(folded); at !== -1; at = word.folded.indexOf(folded, at + 1)) {
      marked.fill(true, at, at + folded.length);
    }
  }
  return stretchesOf(marked).map(({ start, end }) => ({ start: word.start + start, end: word.start + end }));
}

function stretchesOf(marked: readonly boolean[]): { readonly start: number; readonly end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  for (const [at, isMarked] of marked.entries()) {
    if (isMarked && at > 0 && marked[at - 1] === true) (stretches.at(-1) as { end: number }).end = at + 1;
    else if (isMarked) stretches.push({ start: at, end: at + 1 });
  }
  return stretches;
}

function wordStart(text: string, wanted: number): number {
  if (wanted === 0) return 0;
  const space = text.slice(wanted, wanted + MAX_TO_WORD).search(/\s/);
  return space === -1 ? wholeCharacter(text, wanted) : wanted + space + 1;
}

function wordEnd(text: string, wanted: number): number {
  if (wanted === text.length) return wanted;
  const space = text.slice(wanted - MAX_TO_WORD, wanted).search(/\s\S*$/);
  return space === -1 ? wholeCharacter(text, wanted) : wanted - MAX_TO_WORD + space;
}

/** The position, or the one before it in the middle of a character of two code units. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
}
