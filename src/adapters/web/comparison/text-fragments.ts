import type { ComparedBlock } from '../../../application/index.js';
import { isUnchanged } from './blocks.js';

/** Max. characters of a text that is looked for: its beginning is enough. */
const MAX_LENGTH = 300;
/** Characters from which on a text is looked for alone: a shorter one may be anywhere, in a menu too. */
const MIN_ALONE = 24;
/** Words of the block before that tell where a text is. */
const MAX_PREFIX_WORDS = 5;
/** Max. directives of one address. */
const MAX_DIRECTIVES = 10;

/**
 * Directives with which browsers find what changed and mark it, by block: `text=…`
 * (https://wicg.github.io/scroll-to-text-fragment/). Browsers take the first place that fits, so a text that the page also
 * has further up gets none. Headings get none either, since they have anchors.
 */
export function textDirectives(blocks: readonly ComparedBlock[]): ReadonlyMap<ComparedBlock, string> {
  const directives = new Map<ComparedBlock, string>();
  const seen = new Set<string>();
  let before = '';
  for (const block of blocks) {
    const text = beginningOf(laterText(block).trim());
    if (text === '') continue;
    const prefix = before.split(' ').slice(-MAX_PREFIX_WORDS).join(' ');
    const isKnown = text.length < MIN_ALONE || seen.has(text);
    const isLost = isKnown && (prefix === '' || seen.has(`${prefix}\n${text}`));
    if (!isLost && !block.isHeading && !isUnchanged(block.parts))
      directives.set(block, `text=${isKnown ? `${encoded(prefix)}-,` : ''}${encoded(text)}`);
    seen.add(text).add(`${prefix}\n${text}`);
    // Behind the text of a heading comes the sign of its link, in many pages.
    before = block.isHeading ? '' : laterText(block).trim();
  }
  return directives;
}

/**
 * Fragment of an address that leads to an anchor, and has browsers mark texts there.
 * Browsers without text fragments, and pages that lack the texts, show the anchor alone.
 * @param anchor empty for the beginning of the page
 */
export function fragmentOf(anchor: string, directives: readonly string[]): string {
  const shown = directives.slice(0, MAX_DIRECTIVES).join('&');
  return `#${encodeURIComponent(wellFormed(anchor))}${shown === '' ? '' : `:~:${shown}`}`;
}

/** Returns what a block says in the later page; empty when it is not there. */
export function laterText({ parts }: ComparedBlock): string {
  return parts.map(({ kind, text }) => (kind === 'removed' ? '' : text)).join('');
}

/** Whole words only: browsers find no others. */
function beginningOf(text: string): string {
  return text.length <= MAX_LENGTH ? text : text.slice(0, MAX_LENGTH).replace(/\S+$/, '').trim();
}

/** A dash has a meaning of its own in a directive. */
function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll('-', '%2D');
}

/** Half of a surrogate pair cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD');
}
