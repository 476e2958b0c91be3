import type { ParsedUrlQuery } from 'node:querystring';

/** Max. characters of a list, or of a part of it (contract section 7). Agents cut what is longer. */
export const MAX_CHARACTERS = 50_000;

/** Number of the part that is asked for, from 1 on. */
export function partIn({ part }: ParsedUrlQuery): number {
  return typeof part === 'string' && /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 1;
}

/** The part that is asked for, or the last one: a list may have become shorter since somebody was led there. */
export function partAmong(parts: readonly unknown[], asked: number): number {
  return Math.min(asked, parts.length);
}

/**
 * Divides what is listed, so that no part is too long. There is one part at least.
 * @param address of the list
 * @param around characters of a part beside its items and its links to other parts
 */
export function partsOf<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  address: string,
  around: number,
): readonly (readonly Item[])[] {
  const room = MAX_CHARACTERS - around;
  if (items.reduce((sum, item) => sum + lengthOf(item), 0) <= room) return [items];
  // No number of a part has more digits than that of items.
  const most = items.length + 2;
  const roomInParts = room - partLinks(address, most - 1, most).length;
  const parts: Item[][] = [[]];
  let length = 0;
  for (const item of items) {
    length += lengthOf(item);
    if (length > roomInParts && parts.at(-1)?.length !== 0) {
      parts.push([]);
      length = lengthOf(item);
    }
    parts.at(-1)?.push(item);
  }
  return parts;
}

/** Links to the part before and the part after one. */
export function partLinks(address: string, part: number, parts: number): string {
  const link = (name: string, each: number) =>
    each < 1 || each > parts ? '' : `- [${name} part](${address}${each === 1 ? '' : `?part=${each}`})\n`;
  const links = link('Previous', part - 1) + link('Next', part + 1);
  return links === '' ? '' : `\n## More\n\n${links}`;
}
