import { addressOfSection, isDrawn, quote } from '../../domain/index.js';

/** Characters of a token on average, in documentation. */
const CHARACTERS_PER_TOKEN = 4;

/** Why a tool has no answer, in a line that says what to do instead. It is for the model that called the tool. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault';
}

/** Nothing that fits is among what the asker may read: with rules, there may be more for others. */
export class NothingThere extends ToolFault {}

export function noPage(path: string, closest: readonly string[]): ToolFault {
  const hint =
    closest.length === 0 ? 'search_docs finds pages.' : `Closest: ${closest.map(shownPath).join(', ')}`;
  return new ToolFault(`No page ${quote(path)}. ${hint}`);
}

/** The path of a page as agents are shown it: what an address would take for something else in it is percent-encoded. */
export function shownPath(path: string): string {
  return isDrawn(path) ? path : path.replace(/[#?%]/g, encodeURIComponent);
}

/** The path of a section as agents are shown it. */
export function shownSection(path: string, anchor: string | undefined): string {
  if (isDrawn(path)) return `./${addressOfSection(path, anchor)}`;
  return `${shownPath(path)}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Where the next answer begins. */
export interface Cursor {
  /** Number of what comes before: pages of a list, blocks of a page. */
  readonly at: number;
  /** Characters of that block that came before; 0 for all of it. */
  readonly from: number;
}

/** Reads a cursor as an answer gave it, such as `12` or `12.4000`. Undefined for anything else. */
export function cursorIn(text: string): Cursor | undefined {
  const [, at, from = '0'] = /^(?:cursor=)?(\d{1,6})(?:\.(\d{1,7}))?$/.exec(text.trim()) ?? [];
  return at === undefined ? undefined : { at: Number(at), from: Number(from) };
}

export function cursorLine({ at, from }: Cursor): string {
  return `more: cursor=${at}${from === 0 ? '' : `.${from}`}`;
}

export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}
