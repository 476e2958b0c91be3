import { readContent } from '../content-reader.js';
import { MAX_TITLE } from '../page-head.js';
import { READING_LIMITS, type ReadingLimits } from '../reading-limits.js';
import { cutOff } from '../text-run.js';
import { BlockWriter } from './block-writer.js';
import type { LinkTarget } from './inline.js';
import { blockPart, type MarkdownBlock, wordsOfHeading } from './markdown-block.js';
import { MarkdownPage } from './markdown-page.js';
import { TreeBuilder } from './page-tree.js';

/** Max. characters of all blocks, as a multiple of the bytes that are read. */
const MAX_GROWTH = 5;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const LINKED_SCHEME = /^(?:https?|mailto):/i;
const RELATIVE_PAGE = /^(?![/#?])([^?#]*\.x?html?)(?=[?#]|$)/i;

export interface MarkdownOptions {
  /** Where links lead, by their `href`; undefined for a link writes its text only. @default no links */
  readonly linkTarget?: LinkTarget;
  readonly limits?: Partial<ReadingLimits>;
}

/**
 * The main content of an HTML page in Markdown. Headings have the anchors that search results have. Never throws:
 * whatever the bytes are, some text comes out, within the limits.
 */
export function markdownOf(
  bytes: Uint8Array,
  { linkTarget = () => undefined, limits }: MarkdownOptions = {},
): MarkdownPage {
  const { head, parts, cut } = readContent(bytes, limits, (budget, parse) => {
    const writer = new BlockWriter(linkTarget);
    const tree = new TreeBuilder(budget, writer.passesOn, writer.write);
    parse(tree);
    tree.end();
    return writer.written();
  });
  const { characters, blocks: most } = { ...READING_LIMITS, ...limits };
  const blocks = fittingOf(parts, most, Math.min(characters, MAX_GROWTH * bytes.length));
  const title = head.titleText || firstHeading(parts);
  const language = head.language === undefined ? {} : { language: head.language };
  return MarkdownPage.of({ title, ...language, isCut: cut.size > 0 || blocks !== parts }, blocks);
}

/**
 * Target of a link in the Markdown of a page: relative to that page, and from page to page to the Markdown, which has
 * the address of the page with `.md` appended. Undefined for anything but an address, such as a script.
 */
export function markdownTarget(href: string): string | undefined {
  if (href === '') return undefined;
  if (SCHEME.test(href)) return LINKED_SCHEME.test(href) ? href : undefined;
  return href.replace(RELATIVE_PAGE, '$1.md');
}

function firstHeading(blocks: readonly MarkdownBlock[]): string {
  const heading = blocks.find(({ kind }) => kind === 'heading');
  return cutOff(heading === undefined ? '' : wordsOfHeading(heading), MAX_TITLE);
}

/** The blocks that fit, and the beginning of the next one. */
function fittingOf(
  blocks: readonly MarkdownBlock[],
  most: number,
  characters: number,
): readonly MarkdownBlock[] {
  let left = characters;
  const at = blocks.findIndex(({ text }, index) => {
    if (index === most || text.length > left) return true;
    left -= text.length;
    return false;
  });
  const block = blocks[at];
  if (block === undefined) return blocks;
  const fitting = blocks.slice(0, at);
  return left === 0 || at === most
    ? fitting
    : [...fitting, { ...block, text: blockPart(block, 0, left).text }];
}
