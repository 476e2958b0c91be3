import { diffArrays, diffWordsWithSpace } from 'diff';
import type { ComparedBlock, PageDifference, TextPart } from '../../application/ports/page-comparison.js';

export interface Block extends Omit<ComparedBlock, 'parts'> {
  readonly text: string;
}

/** Max. blocks of each page that are compared. */
const MAX_BLOCKS = 5_000;
/** Max. time for comparing blocks, and for comparing the words of all blocks, in milliseconds. */
const MAX_MS = 1_000;
/** Max. characters of a block whose words are compared. */
const MAX_WORDS_OF = 20_000;
/** Share of a block that has to stay for its words to be compared: two different sentences share little but `the`. */
const MIN_SAME = 0.3;

/** Compares two texts: first their blocks, then the words of blocks that took the place of others. */
export function differenceOf(
  before: readonly Block[],
  after: readonly Block[],
): Omit<PageDifference, 'title'> {
  const old = before.slice(0, MAX_BLOCKS);
  const now = after.slice(0, MAX_BLOCKS);
  const isTooLong = before.length > MAX_BLOCKS || after.length > MAX_BLOCKS;
  const changes = diffArrays([...old], [...now], {
    comparator: (a, b) => isAlike(a, b) && a.text === b.text,
    timeout: MAX_MS,
  });
  if (changes === undefined) {
    return {
      blocks: [...old.map((block) => whole(block, 'removed')), ...now.map((block) => whole(block, 'added'))],
      isCut: true,
    };
  }
  const deadline = performance.now() + MAX_MS;
  const blocks: ComparedBlock[] = [];
  let gone: readonly Block[] = [];
  for (const { value, added, removed } of changes) {
    if (removed) {
      gone = value;
      continue;
    }
    if (added) blocks.push(...replaced(gone, value, deadline));
    else {
      blocks.push(...gone.map((block) => whole(block, 'removed')));
      blocks.push(...value.map((block) => whole(block, 'same')));
    }
    gone = [];
  }
  blocks.push(...gone.map((block) => whole(block, 'removed')));
  return { blocks, isCut: isTooLong || performance.now() > deadline };
}

/** Blocks in place of others. Where both have as many headings, each took the place of one, and so did what follows it. */
function replaced(
  gone: readonly Block[],
  come: readonly Block[],
  deadline: number,
): readonly ComparedBlock[] {
  const [old, now] = [atHeadings(gone), atHeadings(come)];
  if (old.length !== now.length) return inPairs(gone, come, deadline);
  return old.flatMap((blocks, index) => inPairs(blocks, now[index] ?? [], deadline, 0));
}

/** The blocks before the first heading, and those from each heading on. */
function atHeadings(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const starts = blocks.flatMap(({ isHeading }, index) => (isHeading ? [index] : []));
  return [0, ...starts].map((start, index) => blocks.slice(start, starts[index]));
}

/** @param minSameOfHeadings share of a heading that has to stay for its words to be compared */
function inPairs(
  gone: readonly Block[],
  come: readonly Block[],
  deadline: number,
  minSameOfHeadings = MIN_SAME,
): readonly ComparedBlock[] {
  const pairs = Math.max(gone.length, come.length);
  return Array.from({ length: pairs }).flatMap((_, index): ComparedBlock[] => {
    const [old, now] = [gone[index], come[index]];
    if (old === undefined) return now === undefined ? [] : [whole(now, 'added')];
    if (now === undefined) return [whole(old, 'removed')];
    const minSame = now.isHeading ? minSameOfHeadings : MIN_SAME;
    const parts = isAlike(old, now) ? wordsOf(old.text, now.text, minSame, deadline) : undefined;
    return parts === undefined ? [whole(old, 'removed'), whole(now, 'added')] : [{ ...kindOf(now), parts }];
  });
}

/** The words of two blocks; undefined when they have less than `minSame` in common, or comparing takes too long. */
function wordsOf(
  old: string,
  now: string,
  minSame: number,
  deadline: number,
): readonly TextPart[] | undefined {
  const timeout = deadline - performance.now();
  if (timeout <= 0 || old.length > MAX_WORDS_OF || now.length > MAX_WORDS_OF) return undefined;
  const words = diffWordsWithSpace(old, now, { timeout });
  if (words === undefined) return undefined;
  const same = words.reduce(
    (sum, { value, added, removed }) => (added || removed ? sum : sum + value.length),
    0,
  );
  if (same < minSame * Math.max(old.length, now.length)) return undefined;
  return words.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

function whole(block: Block, kind: TextPart['kind']): ComparedBlock {
  return { ...kindOf(block), parts: [{ kind, text: block.text }] };
}

function isAlike(one: Block, other: Block): boolean {
  return one.isHeading === other.isHeading && one.isCode === other.isCode;
}

function kindOf({ text, ...kind }: Block): Omit<ComparedBlock, 'parts'> {
  return kind;
}
