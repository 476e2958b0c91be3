import type { PageText, Section } from '../../../formats/html/index.js';
import { foldText } from './fold.js';
import { isUnspaced, scanWords } from './scan-words.js';
import { tokensOf } from './tokens.js';
import { MAX_SPELLING, MIN_SPELLING } from './typos.js';

/**
 * Where a word stands in a page, most telling first. Each word counts where it tells most. `about`: a short title, or
 * the name of the file; `names`: identifiers that the page explains; `often`: words that the text repeats; `lists`:
 * anything in a page that only lists others.
 */
export const PLACES = ['about', 'title', 'names', 'headings', 'often', 'body', 'lists'] as const;
export type Place = (typeof PLACES)[number];

/** Words of a title that it may have for each of them to be what the page is about. */
const FEW_WORDS = 3;
/** Occurrences in a text of 600 words that make a word frequent. */
const OFTEN = 3;
const USUAL_WORDS = 600;

export interface PageWords {
  /** Tokens by place. None is in two places. */
  readonly places: ReadonlyMap<string, Place>;
  /** Words that typos are compared with: those of title, names and headings, folded. */
  readonly spellings: readonly string[];
}

/** What a page is found by. */
export function pageWords(path: string, page: PageText): PageWords {
  const collected = new Collected(page.kind === 'generated-list');
  const isNotes = page.kind === 'release-notes';
  for (const text of [page.title, fileTitle(path)]) {
    const words = rawWords(text);
    collected.add(words, words.size <= FEW_WORDS && !isNotes ? 'about' : 'title', true);
  }
  for (const section of page.sections) {
    if (isName(section)) collected.add(rawWords(nameOf(section)), isNotes ? 'body' : 'names', true);
  }
  for (const { heading } of page.sections)
    collected.add(rawWords(heading), isNotes ? 'body' : 'headings', true);
  collected.add(rawWords(folderOf(path)), 'headings', false);
  collected.addText(page.sections);
  return collected;
}

/** `library/json.html` -> `json`; `guide/index.html` -> `guide` */
export function fileTitle(path: string): string {
  const [last = '', ...folders] = path.split('/').toReversed();
  const name = last.replace(
    /(?:\.[a-z]{2}(?:[-_.][a-z]{2,4})?)?\.x?html?(?:\.[a-z]{2}(?:-[a-z]{2})?)?$/i,
    '',
  );
  return /^(?:index|readme|overview|package-summary)$/i.test(name) ? (folders[0] ?? name) : name;
}

/** The folders of a path. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether a section explains one identifier: a term, or a heading of one word. */
export function isName({ heading, level }: Section): boolean {
  return level === 7 || (level > 1 && /^\S{2,}$/.test(heading));
}

/** The identifier with what it belongs to: `flask.json.jsonify(*args)` without what is in brackets. */
export function nameOf({ heading, anchor = '' }: Section): string {
  const bracket = heading.indexOf('(', 1);
  return `${bracket > 0 ? heading.slice(0, bracket) : heading.slice(0, 200)} ${anchor.replace(/\(.*|%.*/, '')}`;
}

/** The words of a text as they are written, with how often each occurs. */
function rawWords(text: string, counts = new Map<string, number>()): Map<string, number> {
  scanWords(text, (start, end) => {
    const raw = text.slice(start, end);
    counts.set(raw, (counts.get(raw) ?? 0) + 1);
  });
  return counts;
}

class Collected implements PageWords {
  readonly places = new Map<string, Place>();
  readonly spellings: string[] = [];

  constructor(private readonly isList: boolean) {}

  add(words: ReadonlyMap<string, number>, place: Place, isSpelling: boolean): void {
    for (const raw of words.keys()) {
      for (const token of tokensOf(raw)) this.put(token, place);
      if (isSpelling && !this.isList && !isUnspaced(raw)) this.addSpelling(foldText(raw));
    }
  }

  addText(sections: readonly Section[]): void {
    const raw = new Map<string, number>();
    for (const { text } of sections) rawWords(text, raw);
    const counts = new Map<string, number>();
    let total = 0;
    for (const [word, times] of raw) {
      total += times;
      for (const token of tokensOf(word)) counts.set(token, (counts.get(token) ?? 0) + times);
    }
    const often = OFTEN * (0.3 + (0.7 * total) / USUAL_WORDS);
    for (const [token, count] of counts) this.put(token, count >= often ? 'often' : 'body');
  }

  private put(token: string, place: Place): void {
    if (!this.places.has(token)) this.places.set(token, this.isList ? 'lists' : place);
  }

  private addSpelling(folded: string): void {
    if (folded.length >= MIN_SPELLING && folded.length <= MAX_SPELLING && /\p{L}/u.test(folded)) {
      this.spellings.push(folded);
    }
  }
}
