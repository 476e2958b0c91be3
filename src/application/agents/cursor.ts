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
