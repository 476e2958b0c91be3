import { createHash } from 'node:crypto';
import type { PageDifference, PageDigest } from '../../application/ports/page-comparison.js';
import type { SitePage } from '../../application/ports/search-index.js';
import { readPage } from '../../formats/html/index.js';
import { CODE_LINE } from '../../formats/html/text-run.js';
import { giveWayInThread } from '../../node/background/give-way.js';
import { job } from '../../node/background/job.js';
import { type Block, differenceOf } from './difference-of.js';

/** Characters of a hash: 96 bits, so that two texts of one site never have the same by chance. */
const HASH_LENGTH = 16;

// Each export is a job.

export const digests = job((pages: readonly SitePage[]): readonly PageDigest[] =>
  pages.map((page) => {
    const { blocks, title, isCut } = blocksOf(page);
    if (isCut) return { hash: '', title };
    const hash = createHash('sha256');
    for (const { isHeading, text } of blocks) hash.update(`${isHeading ? '#' : ' '}${text}\n`);
    return { hash: hash.digest('base64url').slice(0, HASH_LENGTH), title };
  }),
);

export const difference = job(([before, after]: readonly [SitePage, SitePage]): PageDifference => {
  const [old, now] = [blocksOf(before, true), blocksOf(after, true)];
  const { blocks, isCut } = differenceOf(old.blocks, now.blocks);
  return { title: now.title, blocks, isCut: isCut || old.isCut || now.isCut };
});

/** The main content in blocks, or only its words. The `<title>` is no block: it names the version on every page of many sites. */
function blocksOf(
  { bytes, path }: SitePage,
  keepsCode = false,
): { readonly blocks: readonly Block[]; readonly title: string; readonly isCut: boolean } {
  const { title, sections, cut } = readPage(bytes, { path, keepsCode });
  const blocks = sections.flatMap(({ heading, anchor, text }): Block[] => [
    ...(heading === '' ? [] : [{ isHeading: true, text: heading, ...(anchor && { anchor }) }]),
    ...text
      .split('\n')
      .filter((block) => block !== '')
      .flatMap((block): Block[] =>
        block.startsWith(CODE_LINE)
          ? block
              .slice(1)
              .split(CODE_LINE)
              .map((text) => ({ isHeading: false, isCode: true, text: text.trimEnd() }))
          : [{ isHeading: false, text: block }],
      ),
  ]);
  const heading = sections.find((section) => section.heading !== '')?.heading;
  return { blocks, title: heading ?? title, isCut: cut.length > 0 };
}

giveWayInThread();
