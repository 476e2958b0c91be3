import { decodePage } from '../charset.js';
import { ContentReader, mayHaveMain, type Scope } from '../content-reader.js';
import { HiddenText } from '../hidden/hidden-text.js';
import { MAX_TITLE, PageHead } from '../page-head.js';
import { parseHtml } from '../parse-html.js';
import { Budget, READING_LIMITS, type ReadingLimits } from '../reading-limits.js';
import { cutOff } from '../text-run.js';
import { BlockWriter } from './block-writer.js';
import type { LinkTarget } from './inline.js';
import { blockPart, type MarkdownBlock } from './markdown-block.js';
import { MarkdownPage } from './markdown-page.js';
import { MAX_BLOCKS, TreeBuilder } from './page-tree.js';

/** Max. characters of all blocks, as a multiple of those that are read. */
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
export function markdownOf(bytes: Uint8Array, { linkTarget, limits }: MarkdownOptions = {}): MarkdownPage {
  const all = { ...READING_LIMITS, ...limits };
  const deadline = performance.now() + all.milliseconds;
  const html = decodePage(bytes.subarray(0, all.bytes));
  const hidden = new HiddenText(html, () => new Budget(all, deadline));
  const read = (scope: Scope) => readBlocks(html, hidden, scope, new Budget(all, deadline), linkTarget);
  let page = mayHaveMain(html) ? read('main') : read('page');
  // `<main>` may stand in a comment, or be empty.
  if (page.scope === 'main' && page.blocks.length === 0) page = read('page');
  const { head, blocks, isCut } = page;
  const fitting = fittingOf(blocks, all.characters * MAX_GROWTH);
  return MarkdownPage.of(
    {
      title: head.titleText || firstHeading(blocks),
      ...(head.language === undefined ? {} : { language: head.language }),
      isCut: isCut || bytes.length > all.bytes || fitting !== blocks,
    },
    fitting,
  );
}

/**
 * Where a link leads in the Markdown of a page: relative to that page, and from page to page to the Markdown, which has
 * the address of the page with `.md` behind it. Undefined for what is no address, such as a script.
 */
export function markdownTarget(href: string): string | undefined {
  if (href === '') return undefined;
  if (SCHEME.test(href)) return LINKED_SCHEME.test(href) ? href : undefined;
  return href.replace(RELATIVE_PAGE, '$1.md');
}

function readBlocks(
  html: string,
  hidden: HiddenText,
  scope: Scope,
  budget: Budget,
  linkTarget: LinkTarget = () => undefined,
) {
  const head = new PageHead();
  const tree = new TreeBuilder(budget);
  parseHtml(html, new ContentReader(scope, head, tree, hidden), budget);
  return { scope, head, blocks: new BlockWriter(linkTarget).write(tree.root), isCut: budget.stopped };
}

function firstHeading(blocks: readonly MarkdownBlock[]): string {
  const { text = '', anchor } = blocks.find(({ kind }) => kind === 'heading') ?? {};
  const heading = text.slice(0, anchor === undefined ? undefined : text.lastIndexOf(' {#'));
  return cutOff(heading.replace(/^#+ /, ''), MAX_TITLE);
}

/** The blocks that fit, and the beginning of the one that does not. */
function fittingOf(blocks: readonly MarkdownBlock[], characters: number): readonly MarkdownBlock[] {
  let left = characters;
  const at = blocks.findIndex(({ text }, index) => {
    if (index === MAX_BLOCKS || text.length > left) return true;
    left -= text.length;
    return false;
  });
  const block = blocks[at];
  if (block === undefined) return blocks;
  const fitting = blocks.slice(0, at);
  return left === 0 || at === MAX_BLOCKS
    ? fitting
    : [...fitting, { ...block, text: blockPart(block, 0, left).text }];
}
