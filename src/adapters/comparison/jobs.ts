import { createHash } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';
import type { PageDifference } from '../../application/ports/page-comparison.js';
import type { SitePage } from '../../application/ports/search-index.js';
import { readPage } from '../../formats/html/index.js';
import { type Block, differenceOf } from './difference-of.js';

/** Characters of a hash: 96 bits, so that two texts of one site never have the same by chance. */
const HASH_LENGTH = 16;

// Each export is a job, which the pool calls by name.

export function hashes({ pages }: { readonly pages: readonly SitePage[] }): readonly string[] {
  return pages.map((page) => {
    const { blocks, isCut } = blocksOf(page);
    if (isCut) return '';
    const hash = createHash('sha256');
    for (const { isHeading, text } of blocks) hash.update(`${isHeading ? '#' : ' '}${text}\n`);
    return hash.digest('base64url').slice(0, HASH_LENGTH);
  });
}

export function difference({
  before,
  after,
}: {
  readonly before: SitePage;
  readonly after: SitePage;
}): PageDifference {
  const [old, now] = [blocksOf(before), blocksOf(after)];
  const { blocks, isCut } = differenceOf(old.blocks, now.blocks);
  return { blocks, isCut: isCut || old.isCut || now.isCut };
}

/** The main content in blocks. The title is left out: it names the version on every page of many sites. */
function blocksOf({ bytes, path }: SitePage): { readonly blocks: readonly Block[]; readonly isCut: boolean } {
  const { sections, cut } = readPage(bytes, { path });
  const blocks = sections.flatMap(({ heading, text }): Block[] => [
    ...(heading === '' ? [] : [{ isHeading: true, text: heading }]),
    ...text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ isHeading: false, text: line })),
  ]);
  return { blocks, isCut: cut.length > 0 };
}

/** Niceness added to that of the process: the thread gets a fifth of the processor time of others. */
const NICENESS = 7;

/**
 * Lowers the priority of this thread, so that pages are served first while a first comparison takes its minute: without it,
 * readers on one processor got 0.6 of their usual pages a second, with it 0.9. Only on Linux, where setpriority(2) acts on the
 * calling thread.
 */
function giveWayToReaders(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
  } catch {
    // A sandbox does not allow it; the priority stays.
  }
}

giveWayToReaders();
