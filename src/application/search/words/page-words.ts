import { isDrawn } from '../../../domain/redirects/page-address.js';
import type { PageText, Section } from '../../../formats/html/index.js';
import { isListing } from '../../../formats/html/text/page-text.js';
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
const MAX_ABOUT_WORDS = 3;
/** Occurrences in a text of 600 words that make a word frequent. */
const OFTEN = 3;
const USUAL_WORDS = 600;
/**
 * Max. tokens of a page, and max. words as they are written. A page of two million characters has some 30,000 words, one of
 * 400,000 characters without spaces 100,000 pairs. Each takes memory while the page is indexed, in SQLite too.
 */
const MAX_TOKENS = 150_000;
/** Characters of a run without spaces whose pairs are taken at a time: each is an object, and a page may be one run. */
const MAX_RUN = 1_000;

export interface PageWords {
  /** Tokens by place. None is in two places. */
  readonly places: ReadonlyMap<string, Place>;
  /** Words that typos are compared with: those of title, names and headings, folded. */
  readonly spellings: readonly string[];
  /** Whether the page has more tokens than are kept. */
  readonly isCut: boolean;
}

/** Returns the words that a page is found by. */
export function pageWords(path: string, page: PageText): PageWords {
  const collected = new Collected(isListing(page.kind));
  const isNotes = page.kind === 'release-notes';
  for (const text of [page.title, fileTitle(path)]) {
    const words = rawWords(text);
    collected.add(words, words.size <= MAX_ABOUT_WORDS && !isNotes ? 'about' : 'title', true);
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
  if (isDrawn(path)) return '';
  const [last = '', ...folders] = path.split('/').toReversed();
  const name = last.replace(/(?:\.[a-z]{2}(?:[-_.][a-z]{2,4})?)?\.x?html?$/i, '');
  return /^(?:index|readme|overview|package-summary)$/i.test(name) ? (folders[0] ?? name) : name;
}

/** The folders of a path. The address of a drawn page has none. */
export function folderOf(path: string): string {
  return isDrawn(path) ? '' : path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether a section explains one identifier: a term, or a heading of one word. */
export function isName({ heading, level }: Pick<Section, 'heading' | 'level'>): boolean {
  return level === 7 || (level > 1 && /^\S{2,}$/.test(heading));
}

/** The identifier with what it belongs to: `flask.json.jsonify(*args)` without what is in brackets. */
export function nameOf({ heading, anchor = '' }: Pick<Section, 'heading' | 'anchor'>): string {
  const bracket = heading.indexOf('(', 1);
  return `${bracket > 0 ? heading.slice(0, bracket) : heading.slice(0, 200)} ${anchor.replace(/\(.*|%.*/, '')}`;
}

/**
 * The words of a text as they are written, with how often each occurs: one more than are kept, at most. Long runs of writing without spaces
 * are divided.
 */
function rawWords(text: string, counts = new Map<string, number>()): Map<string, number> {
  const count = (raw: string) => {
    const times = counts.get(raw);
    if (times !== undefined || counts.size <= MAX_TOKENS) counts.set(raw, (times ?? 0) + 1);
  };
  for (const { start, end, isCjk } of scanWords(text)) {
    const raw = text.slice(start, end);
    if (isCjk && raw.length > MAX_RUN) for (const part of partsOfRun(raw)) count(part);
    else count(raw);
  }
  return counts;
}

/** Each part ends with the character that the next one begins with, so that no pair of neighbours is lost. */
function* partsOfRun(run: string): Generator<string> {
  let from = 0;
  while (run.length - from > MAX_RUN) {
    let last = from + MAX_RUN - 1;
    // The second half of a pair of surrogates is no character.
    if (/[\udc00-\udfff]/.test(run.charAt(last))) last -= 1;
    yield run.slice(from, last + String.fromCodePoint(run.codePointAt(last) ?? 0).length);
    from = last;
  }
  yield run.slice(from);
}

class Collected implements PageWords {
  readonly places = new Map<string, Place>();
  readonly spellings: string[] = [];
  isCut = false;

  constructor(private readonly isList: boolean) {}

  add(words: ReadonlyMap<string, number>, place: Place, isSpelling: boolean): void {
    for (const raw of words.keys()) {
      for (const token of tokensOf(raw)) this.put(token, place);
      if (!isSpelling || this.isList || isUnspaced(raw)) continue;
      this.addSpelling(foldText(raw));
      // `aply` may mean `@apply`.
      if (/^[@$]/.test(raw)) this.addSpelling(foldText(raw.slice(1)));
    }
  }

  addText(sections: readonly Section[]): void {
    const raw = new Map<string, number>();
    for (const { text } of sections) rawWords(text, raw);
    if (raw.size > MAX_TOKENS) this.isCut = true;
    const counts = new Map<string, number>();
    let total = 0;
    for (const [word, times] of raw) {
      total += times;
      for (const token of tokensOf(word)) {
        const count = counts.get(token);
        if (count === undefined && this.isFull(counts)) continue;
        counts.set(token, (count ?? 0) + times);
      }
    }
    const often = OFTEN * (0.3 + (0.7 * total) / USUAL_WORDS);
    for (const [token, count] of counts) this.put(token, count >= often ? 'often' : 'body');
  }

  private put(token: string, place: Place): void {
    if (this.places.has(token) || this.isFull(this.places)) return;
    this.places.set(token, this.isList ? 'lists' : place);
  }

  private isFull({ size }: ReadonlyMap<string, unknown>): boolean {
    if (size >= MAX_TOKENS) this.isCut = true;
    return size >= MAX_TOKENS;
  }

  private addSpelling(folded: string): void {
    if (folded.length >= MIN_SPELLING && folded.length <= MAX_SPELLING && /\p{L}/u.test(folded)) {
      this.spellings.push(folded);
    }
  }
}
