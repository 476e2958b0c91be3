import type { MarkdownBlock } from './markdown-block.js';

/** A part of a block that is too long. */
export interface BlockPart {
  /** Markdown that makes sense alone: code in a fence of its own, rows of a table below its header. */
  readonly text: string;
  /** Where the next part begins; undefined for the last one. */
  readonly next: number | undefined;
}

/** The lines with which each part of a block begins. */
const HEADS: Readonly<Partial<Record<MarkdownBlock['kind'], RegExp>>> = { code: /^.*\n/, table: /^.*\n.*\n/ };

/**
 * Returns what fits of a block, in whole lines if these are short enough.
 * @param from where the part begins in the block: 0, or what the part before gave as `next`, whatever its limit was
 */
export function blockPart(block: MarkdownBlock, from: number, characters: number): BlockPart {
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

/** What stands around each part. The header of a table may leave no room for its rows. */
function frameOf({ kind, text }: MarkdownBlock, characters: number) {
  const head = HEADS[kind]?.exec(text)?.[0] ?? '';
  const tail = kind === 'code' ? (/\n`+$/.exec(text)?.[0] ?? '') : '';
  return head.length + tail.length > characters / 2 ? { head: '', tail: '' } : { head, tail };
}

function endOfPart(body: string, from: number, room: number): number {
  const most = from + room;
  if (most >= body.length) return body.length;
  const line = body.lastIndexOf('\n', most) + 1;
  if (line > from + room / 2) return line;
  const isWithinCharacter = /[\ud800-\udbff]/.test(body[most - 1] ?? '');
  return isWithinCharacter && room > 1 ? most - 1 : most;
}
