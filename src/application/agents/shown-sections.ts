import { searchedTo } from '../../domain/index.js';
import { wordsOfHeading } from '../../formats/html/index.js';
import type { PageHit } from '../page-search/found-pages.js';
import type { SearchedPage } from '../ports/page-markdown.js';
import type { FoundPiece } from './best-blocks.js';
import type { Stretch } from './page-pieces.js';
import { beginOf, filledFrom, textFrom } from './shown-part.js';
import { type Cursor, shownSection } from './tool-texts.js';

/** Share of the answer that the best page may have. */
const MAX_SHARE_OF_FIRST = 0.5;
/** Sections of an answer, where fewer pages are found: the next best pieces of them are shown, too. */
const MIN_SECTIONS = 3;
/** Projects with an equal section that are named. */
const MAX_NAMED = 3;
/** Min. characters that are left for a further section. */
const MIN_SECTION = 200;
/** Share of the question that the best section has to have, so that no further ones are named. */
const MIN_CLEAR = 0.9;
/** Sections that are named, the share of the answer that they may have, and characters of a heading. */
const MAX_NAMES = 10;
const MAX_SHARE_OF_NAMES = 0.15;
const MAX_HEADING = 80;
const NAMES = 'Further sections, to read or to take words from:';

/** A page that was found, in Markdown. */
export interface AnswerPage extends SearchedPage {
  readonly path: string;
  /** Project and version in front of the path. */
  readonly prefix: string;
  /** As `readTo` of `SearchResult`. */
  readonly readTo: string | undefined;
  /** As `sameIn` of `PageHit`. */
  readonly sameIn: readonly PageHit[] | undefined;
}

/** A piece of a page that was found. Undefined: the beginning of the page. */
export interface FoundPart {
  readonly of: AnswerPage;
  readonly piece: FoundPiece | undefined;
}

/** An answer that is to be filled. */
interface Found {
  /** Parts of each page, the best page and the best part first. */
  readonly ofPages: readonly (readonly FoundPart[])[];
  /** The best part for each of several wordings. */
  readonly ofWordings: readonly FoundPart[];
  /** Lines that name further pages. */
  readonly names: readonly string[];
}

/** A section as it is shown, and where it stands in the text of the page. */
interface ShownSection extends Stretch {
  readonly of: AnswerPage;
  readonly text: string;
}

/**
 * Fills an answer with sections: the best one, the best one for each wording, then one of each other page; where there are few, further
 * ones. The same text is shown once, whatever its page is called. Where the answer is not clear, names of sections that are not
 * shown follow.
 */
export function fillAnswer({ ofPages, ofWordings, names }: Found, characters: number): readonly string[] {
  const [best, ...firsts] = ofPages.flatMap(([first]) => first ?? []);
  if (best === undefined) return [];
  const parts = distinct([best, ...ofWordings, ...firsts]);
  const first = parts.slice(0, Math.max(ofPages.length, 1 + ofWordings.length));
  const others = ofPages
    .flatMap((ofPage) => ofPage.slice(1).map((part, rank) => ({ ...part, rank })))
    .sort((a, b) => a.rank - b.rank);
  const isClear = Math.max(...[best, ...ofWordings].map(({ piece }) => piece?.share ?? 0)) >= MIN_CLEAR;
  const unshown = [...parts.slice(first.length), ...others];
  const named = isClear ? [] : namesOf(unshown, names, MAX_SHARE_OF_NAMES * characters);
  const room = characters - named.reduce((sum, { length }) => sum + length + 1, 0);
  const sections = shownSections(first, others, room);
  return [...sections.map(({ text }) => text), ...(named.length === 0 ? [] : [named.join('\n')])];
}

/** A line that names the section of a page that was found. */
export function nameOfHit({ path, anchor, heading, title }: PageHit, prefix: string): string {
  return nameLine(prefix, path, anchor, heading ?? title);
}

function shownSections(
  first: readonly FoundPart[],
  others: readonly FoundPart[],
  characters: number,
): readonly ShownSection[] {
  const wanted = Math.max(first.length, Math.min(MIN_SECTIONS, first.length + others.length));
  const shown: ShownSection[] = [];
  let left = characters;
  for (const part of [...first, ...others]) {
    if (left < MIN_SECTION || shown.length >= wanted) break;
    if (shown.some((section) => isShownIn(section, part))) continue;
    const most =
      shown.length === 0 ? Math.max(MIN_SECTION, left * MAX_SHARE_OF_FIRST) : left / (wanted - shown.length);
    const section = sectionOf(part, most);
    left -= section.text.length + 2;
    shown.push(section);
  }
  return shown;
}

function isShownIn({ of, from, to }: ShownSection, { of: other, piece }: FoundPart): boolean {
  return of === other && piece !== undefined && piece.match.from >= from && piece.match.from < to;
}

/** Parts without those of the same text as one before them. */
function distinct(parts: readonly FoundPart[]): readonly FoundPart[] {
  const texts = new Set<string>();
  return parts.filter(({ of: { page, path }, piece }) => {
    const text = piece === undefined ? path : page.text.slice(piece.from, piece.to);
    return !texts.has(text) && texts.add(text);
  });
}

/** The heading of the names, and lines with the best ones of further parts and of further pages in turns. */
function namesOf(parts: readonly FoundPart[], pages: readonly string[], characters: number): string[] {
  const ofParts = parts.map(nameOfPart);
  const inTurns = Array.from({ length: Math.max(ofParts.length, pages.length) }, (_, at) =>
    [ofParts[at], pages[at]].flatMap((line) => line ?? []),
  );
  const lines = [...new Set(inTurns.flat())].slice(0, MAX_NAMES);
  let left = characters - NAMES.length;
  const fitting = lines.filter((line) => {
    left -= line.length + 1;
    return left >= 0;
  });
  return fitting.length === 0 ? [] : [NAMES, ...fitting];
}

function nameOfPart({ of: { page, path, prefix }, piece }: FoundPart): string {
  const at = page.blockAt(piece?.match.from ?? 0);
  const [block] = page.levelOf(at) === undefined ? [page.headingBefore(at)] : page.blocks(at, at + 1);
  const heading = block === undefined ? page.title : wordsOfHeading(block);
  return nameLine(prefix, path, block?.anchor, heading);
}

function nameLine(prefix: string, path: string, anchor: string | undefined, heading: string): string {
  return `- ${prefix}${shownSection(path, anchor)} ${heading.slice(0, MAX_HEADING)}`;
}

function sectionOf({ of, piece }: FoundPart, most: number): ShownSection {
  const { page, path, prefix, readTo, sameIn = [] } = of;
  const named = sameIn.slice(0, MAX_NAMED).map(({ version }) => version.project);
  const more = sameIn.length > MAX_NAMED ? ` and ${sameIn.length - MAX_NAMED} more` : '';
  const equal = sameIn.length === 0 ? '' : ` (such a page also in ${named.join(', ')}${more})`;
  const lineFor = ({ at }: Cursor) => {
    const anchor = (page.headingBefore(at) ?? page.blocks(at, at + 1)[0])?.anchor;
    const cut = readTo === undefined ? '' : `\n\n(${searchedTo(readTo)})`;
    return `[${prefix}${shownSection(path, anchor)}] ${page.title}${equal}${cut}`;
  };
  const top = { at: 0, from: 0 };
  const room =
    most - lineFor(piece === undefined ? top : { at: page.blockAt(piece.from), from: 0 }).length - 2;
  const begin = piece === undefined ? top : filledFrom(page, beginOf(page, piece, room), room);
  const line = lineFor(begin);
  const texts = textFrom(page, begin, most - line.length - 2);
  const from = page.startOf(begin.at) + begin.from;
  const text = [line, ...texts].join('\n\n');
  return { of, text, from, to: from + text.length - line.length };
}
