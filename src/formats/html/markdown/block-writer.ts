import { TERM_LEVEL } from '../headings.js';
import { hasClass, type OpenElement } from '../open-element.js';
import { codeSpan, escapedLines } from './escape.js';
import { codeBlock, InlineWriter, isCodeBlock, type LinkTarget, textOf } from './inline.js';
import { definitionItems, definitionText, listBlocks, listItems, listItemText } from './list-items.js';
import { joined, type MarkdownBlock } from './markdown-block.js';
import { isAdmonition, isBlock, type PageChild, type PageNode } from './page-tree.js';
import {
  isPairs,
  rowsOf,
  summaryRowsOf,
  type TableRow,
  type TableRows,
  tableText,
  textTable,
} from './table-rows.js';

/** Max. lists and quotes around a block: each moves its lines further to the right. */
const MAX_NESTED = 8;
const TITLES = ['admonition-title', 'custom-block-title', 'title'];
/** Classes of headings that are declarations in code. */
const DECLARATIONS = ['sig', 'code-header', 'tsd-signature', 'src'];

/** Where a block stands. */
interface Place {
  /** Lists and quotes around it. */
  readonly nested: number;
  /** Terms with an id whose definition it is in. */
  readonly terms: number;
}

/** Writes the blocks of a page. */
export class BlockWriter {
  private readonly inline: InlineWriter;
  /** Level of the last heading that is no term. */
  private level = 1;

  constructor(target: LinkTarget) {
    this.inline = new InlineWriter(target);
  }

  write(root: PageNode): MarkdownBlock[] {
    const blocks: MarkdownBlock[] = [];
    this.addAll(root.children, { nested: 0, terms: 0 }, blocks);
    return blocks;
  }

  private addAll(children: readonly PageChild[], place: Place, to: MarkdownBlock[]): void {
    let run: PageChild[] = [];
    const endParagraph = () => {
      if (run.length > 0) this.addParagraph(run, to);
      run = [];
    };
    for (const child of children) {
      if (isInline(child)) run.push(child);
      else {
        endParagraph();
        this.add(child, place, to);
      }
    }
    endParagraph();
  }

  private addParagraph(children: readonly PageChild[], to: MarkdownBlock[]): void {
    const text = escapedLines(this.inline.write(children));
    if (text !== '') to.push({ kind: 'paragraph', text });
  }

  private add(node: PageNode, place: Place, to: MarkdownBlock[]): void {
    const { element, children, hasHeading } = node;
    const isNested = place.nested < MAX_NESTED && !hasHeading;
    if (node.heading !== undefined) this.addHeading(node, place, to);
    else if (isCodeBlock(node)) addCode(node, to);
    else if (hasClass(element, 'summary-table')) this.addTable(node, summaryRowsOf(node), place, to);
    else if (element.name === 'table') this.addTable(node, rowsOf(node), place, to);
    else if (element.name === 'dl') this.addDefinitions(node, isNested, place, to);
    else if ((element.name === 'ul' || element.name === 'ol') && isNested) this.addList(node, place, to);
    else if ((element.name === 'blockquote' || isAdmonition(element)) && isNested) {
      this.addQuote(children, place, to);
    } else if (isTitle(element)) this.addTitle(children, to);
    else this.addAll(children, place, to);
  }

  private addHeading({ element, heading, children }: PageNode, { terms }: Place, to: MarkdownBlock[]): void {
    const { level = 1, anchor } = heading ?? {};
    const isTerm = level === TERM_LEVEL;
    if (!isTerm) this.level = level;
    const shown = Math.min(6, isTerm ? this.level + 1 + terms : level);
    const text = isDeclaration(element)
      ? codeSpan(children.map(asText).join('').replace(/\s+/g, ' ').trim())
      : this.inline.writePlain(children);
    to.push({
      kind: 'heading',
      text: `${'#'.repeat(shown)} ${text}${anchor === undefined ? '' : ` {#${anchor}}`}`,
      level: shown,
      ...(anchor === undefined ? {} : { anchor }),
    });
  }

  /** The title of a note or warning, in front of what it says. */
  private addTitle(children: readonly PageChild[], to: MarkdownBlock[]): void {
    const text = this.inline.writePlain(children).replace(/:$/, '');
    if (text !== '') to.push({ kind: 'paragraph', text: `**${text}:**` });
  }

  /** A quote. With code or headings in it, it is written without signs: code stays as it is. */
  private addQuote(children: readonly PageChild[], place: Place, to: MarkdownBlock[]): void {
    const blocks = this.blocksIn(children, place);
    const [title, first] = blocks;
    if (title !== undefined && first?.kind === 'paragraph' && /^\*\*[^\n]*:\*\*$/.test(title.text)) {
      blocks.splice(0, 2, { kind: 'paragraph', text: `${title.text} ${first.text}` });
    }
    if (blocks.some(({ kind }) => kind === 'code')) to.push(...blocks);
    else if (blocks.length > 0) to.push({ kind: 'quote', text: joined(blocks).replace(/^/gm, '> ') });
  }

  private addList(node: PageNode, place: Place, to: MarkdownBlock[]): void {
    const items = listItems(node).map(({ marker, children }) =>
      listItemText(marker, this.blocksIn(children, place)),
    );
    to.push(...listBlocks(items));
  }

  private addDefinitions(node: PageNode, isNested: boolean, place: Place, to: MarkdownBlock[]): void {
    const items = definitionItems(node);
    if (isNested) {
      to.push(...listBlocks(items.map((item) => this.definition(item.terms, item.definitions, place))));
      return;
    }
    for (const { terms, definitions } of items) {
      let within = place.terms;
      for (const term of terms) {
        if (term.heading === undefined) this.addTitle(term.children, to);
        else {
          this.addHeading(term, place, to);
          within = place.terms + 1;
        }
      }
      for (const { children } of definitions) this.addAll(children, { ...place, terms: within }, to);
    }
  }

  private definition(terms: readonly PageNode[], definitions: readonly PageNode[], place: Place): string {
    const names = terms.map(({ children }) => this.inline.write(children)).filter((text) => text !== '');
    const parts = definitions.map(({ children }) => this.blocksIn(children, place));
    return definitionText(
      names.join(', '),
      parts.filter((blocks) => blocks.length > 0),
    );
  }

  private blocksIn(children: readonly PageChild[], place: Place): MarkdownBlock[] {
    const blocks: MarkdownBlock[] = [];
    this.addAll(children, { ...place, nested: place.nested + 1 }, blocks);
    return blocks;
  }

  private addTable(node: PageNode, { captions, rows }: TableRows, place: Place, to: MarkdownBlock[]): void {
    for (const caption of captions) this.addAll(caption.children, place, to);
    const isLayout = node.hasHeading || node.hasCode || hasTable(node.children);
    if (isLayout || place.nested >= MAX_NESTED || rows.every(({ cells }) => cells.length < 2)) {
      for (const row of rows) this.addLayoutRow(row, place, to);
      return;
    }
    const table = textTable(rows, (cell) => this.cellText(cell, place));
    const [first] = table.rows;
    if (first === undefined) return;
    if (table.header === undefined && (first.length === 1 || table.rows.length === 1)) {
      for (const row of rows) this.addLayoutRow(row, place, to);
    } else if (isPairs(table)) {
      // Each is read alone: as an item of a list.
      const items = table.rows.map(([name = ''], at) => {
        const meaning = this.blocksIn(table.cells[at]?.[1]?.children ?? [], place);
        return definitionText(name.replaceAll('\\|', '|'), [meaning]);
      });
      to.push(...listBlocks(items));
    } else to.push({ kind: 'table', text: tableText(table) });
  }

  /** A row of a table that only arranges what is in it. */
  private addLayoutRow({ cells }: TableRow, place: Place, to: MarkdownBlock[]): void {
    const present = cells.filter((cell) => cell !== undefined);
    if (
      present.some(({ heading, hasBlock, hasHeading }) => heading !== undefined || hasBlock || hasHeading)
    ) {
      // Haddock's constructors are cells.
      for (const cell of present) this.addAll(cell.heading === undefined ? cell.children : [cell], place, to);
    } else
      this.addParagraph(
        present.flatMap(({ children }) => [...children, ' ']),
        to,
      );
  }

  private cellText({ children, hasBlock }: PageNode, place: Place): string {
    const text = hasBlock
      ? this.blocksIn(children, place)
          .map((block) => block.text)
          .join('\n')
      : this.inline.write(children);
    return text.replaceAll('|', '\\|').replace(/\n+/g, '<br>');
  }
}

function isInline(child: PageChild): child is string | PageNode {
  if (typeof child === 'string') return true;
  return !(child.hasBlock || isBlock(child.element) || child.heading !== undefined || isCodeBlock(child));
}

function isDeclaration(element: OpenElement): boolean {
  if (DECLARATIONS.some((word) => hasClass(element, word))) return true;
  return element.parent !== undefined && hasClass(element.parent, 'funcsynopsis');
}

function addCode(node: PageNode, to: MarkdownBlock[]): void {
  const text = codeBlock(node);
  if (text !== '') to.push({ kind: 'code', text });
}

function isTitle(element: OpenElement): boolean {
  if (!TITLES.some((word) => hasClass(element, word))) return false;
  let around = element.parent;
  for (let level = 0; level < 4 && around !== undefined; level++) {
    if (isAdmonition(around)) return true;
    around = around.parent;
  }
  return false;
}

function hasTable(children: readonly PageChild[]): boolean {
  return children.some(
    (child) => typeof child === 'object' && (child.element.name === 'table' || hasTable(child.children)),
  );
}

function asText(child: PageChild): string {
  return typeof child === 'string' ? child : textOf(child);
}
