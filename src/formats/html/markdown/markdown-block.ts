/** The lines with which each part of a block begins. */
const HEADS: Readonly<Partial<Record<MarkdownBlock['kind'], RegExp>>> = { code: /^.*\n/, table: /^.*\n.*\n/ };

/** A part of a page in Markdown that makes sense alone. The page is its blocks with an empty line between them. */
export interface MarkdownBlock {
  /** A long list is several blocks. */
  readonly kind: 'heading' | 'paragraph' | 'code' | 'table' | 'list' | 'quote';
  /** Markdown, without line breaks around it. A heading has its anchor: `## Text {#anchor}`. */
  readonly text: string;
  /** 1 to 6; headings only. */
  readonly level?: number;
  /** Id of the element to link to, as in the page: not percent-encoded. Only for headings that have one. */
  readonly anchor?: string;
  /** Further ids that lead into the block, in the order of the page. Absent: there are none. */
  readonly anchors?: readonly AnchorPlace[];
}

/** An id of the page, and the position in the text of the block where it leads. */
export interface AnchorPlace {
  readonly id: string;
  readonly from: number;
}

/** Returns the words of a heading, without its signs and its anchor. */
export function wordsOfHeading({ text, anchor }: Pick<MarkdownBlock, 'text' | 'anchor'>): string {
  return text.slice(0, anchor === undefined ? undefined : text.lastIndexOf(' {#')).replace(/^#+ /, '');
}

/** Text between two blocks. */
export const SEPARATOR = '\n\n';

/** The Markdown of some blocks. */
export function joined(blocks: readonly Pick<MarkdownBlock, 'text'>[]): string {
  return blocks.map(({ text }) => text).join(SEPARATOR);
}

/** Lines further to the right, but for the first one and empty ones. */
export function indented(text: string, by: number): string {
  return text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(by)}`);
}

/**
 * Returns what fits of a block, in whole lines if these are short enough.
 * @param from where the part begins in the block: 0, or what the part before gave as `next`, whatever its limit was
 * @returns Markdown that makes sense alone: code in a fence of its own, rows of a table below its header; and where the next
 *   part begins, undefined for the last one
 */
export function blockPart(block: MarkdownBlock, from: number, characters: number) {
  const { head, tail } = frameOf(block, characters);
  const body = block.text.slice(0, block.text.length - tail.length);
  const start = Math.max(from, head.length);
  const end = endOfPart(body, start, Math.max(1, characters - head.length - tail.length));
  const text = head + body.slice(start, end).replace(/\n$/, '') + tail;
  return { text, next: end < body.length ? end : undefined };
}

/** The beginning of a block, with a mark where the rest is missing. */
export function cutBlock(block: MarkdownBlock, characters: number): string {
  const { text, next } = blockPart(block, 0, characters);
  return next === undefined ? text : `${text}\n[cut]`;
}

/** Text around each part. The header of a table may leave no room for its rows. */
function frameOf({ kind, text }: MarkdownBlock, characters: number) {
  const head = HEADS[kind]?.exec(text)?.[0] ?? '';
  const tail = kind === 'code' ? (/\n`+$/.exec(text)?.[0] ?? '') : '';
  return head.length + tail.length > characters / 2 ? { head: '', tail: '' } : { head, tail };
}

/** Characters after which a text may be divided, the best ones first. */
const DIVIDERS = ['\n', '<br>', '. ', '; ', ' '];

/**
 * Returns where a part of a text ends that begins at `from` and has at most `room` characters: after a line, else after a
 * sentence or a word, in the second half of the room; else where the room ends.
 */
export function endOfPart(text: string, from: number, room: number): number {
  const most = from + room;
  if (most >= text.length) return text.length;
  const half = Math.floor(from + room / 2);
  for (const divider of DIVIDERS) {
    // A line break at the end needs no room.
    const at = text.slice(half, divider === '\n' ? most + 1 : most).lastIndexOf(divider);
    if (at !== -1) return half + at + divider.length;
  }
  const isWithinCharacter = /[\ud800-\udbff]/.test(text[most - 1] ?? '');
  return isWithinCharacter && room > 1 ? most - 1 : most;
}
