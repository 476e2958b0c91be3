import { type AnchorPlace, indented, type MarkdownBlock } from './markdown-block.js';
import type { PageChild, PageNode } from './page-tree.js';

/** Min. characters after which a list goes on in another block. */
const MIN_LIST_BLOCK = 1_500;

/** The items of a list, each with its marker: `- ` or `1. `. */
export function listItems({ element, attributes, children }: PageNode) {
  const start = Number.parseInt(attributes.start ?? '1', 10);
  let number = Math.abs(start) < 1e9 ? Math.max(0, start) : 1;
  const items: {
    readonly marker: string;
    readonly children: readonly PageChild[];
    /** The element itself, or its replacement. */
    readonly item: readonly PageChild[];
  }[] = [];
  for (const child of children) {
    if (typeof child === 'string' && child.trim() === '') continue;
    const marker = element.name === 'ol' ? `${number}. ` : '- ';
    number += 1;
    const isItem = typeof child === 'object' && child.element.name === 'li';
    items.push({ marker, children: isItem ? child.children : [child], item: [child] });
  }
  return items;
}

/** The items of a definition list: terms and their definitions. An element that is neither counts as a definition. */
export function definitionItems(list: PageNode) {
  const items: { readonly terms: PageNode[]; readonly definitions: PageNode[] }[] = [];
  const collect = ({ children }: PageNode) => {
    for (const child of children) {
      if (typeof child === 'string') continue;
      const { name } = child.element;
      const last = items.at(-1);
      if (name === 'dt') {
        if (last !== undefined && last.definitions.length === 0) last.terms.push(child);
        else items.push({ terms: [child], definitions: [] });
      } else if (name === 'div') collect(child);
      else if (last === undefined) items.push({ terms: [], definitions: [child] });
      else last.definitions.push(child);
    }
  };
  collect(list);
  return items;
}

/** An item in Markdown; empty without blocks. */
export function listItemText(marker: string, blocks: readonly MarkdownBlock[]): string {
  return blocks.length === 0 ? '' : marker + indented(inItem(blocks), marker.length);
}

/**
 * An item of a definition list as an item of a list: `- **term**: definition`.
 * @param term Markdown; may be empty
 * @param definitions the blocks of each
 */
export function definitionText(term: string, definitions: readonly (readonly MarkdownBlock[])[]): string {
  const name = term === '' || /[*`]/.test(term) ? term : `**${term}**`;
  const [only = [], ...others] = definitions;
  if (definitions.length === 0) return name === '' ? '' : `- ${name}`;
  const named = name === '' || /:\**$/.test(name) ? name : `${name}:`;
  if (others.length > 0) {
    const items = definitions.map((blocks) => listItemText('- ', blocks));
    return `- ${named}${indented(`\n${items.join('\n')}`, 2)}`;
  }
  const gap = named === '' ? '' : only[0]?.kind === 'paragraph' ? ' ' : '\n';
  return `- ${named}${indented(gap + inItem(only), 2)}`;
}

/** An item of a list in Markdown, and the ids in it. */
interface ListItem {
  readonly text: string;
  readonly ids: readonly string[];
}

/** Groups the items of a list into blocks of limited length. The ids of an item without text go to the next item. */
export function listBlocks(items: readonly ListItem[]): MarkdownBlock[] {
  const blocks: { kind: 'list'; text: string; anchors: AnchorPlace[] }[] = [];
  let waiting: string[] = [];
  for (const { text, ids } of items) {
    waiting.push(...ids);
    if (text === '') continue;
    let last = blocks.at(-1);
    if (last === undefined || last.text.length >= MIN_LIST_BLOCK) {
      last = { kind: 'list', text: '', anchors: [] };
      blocks.push(last);
    } else last.text += '\n';
    const from = last.text.length;
    last.anchors.push(...waiting.map((id) => ({ id, from })));
    last.text += text;
    waiting = [];
  }
  return blocks;
}

/** Text of a list item. A nested list follows without a blank line. */
function inItem(blocks: readonly MarkdownBlock[]): string {
  return blocks
    .map(({ kind, text }, at) => (at === 0 ? text : `${kind === 'list' ? '\n' : '\n\n'}${text}`))
    .join('');
}
