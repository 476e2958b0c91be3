import { anchorOf, TERM_LEVEL } from '../headings.js';
import { hasClass, type OpenElement } from '../open-element.js';
import { codeSpan, escapedLines } from './escape.js';
import { codeBlock, InlineWriter, idsIn, isCodeBlock, type LinkTarget, textOf } from './inline.js';
import { definitionItems, definitionText, listBlocks, listItems, listItemText } from './list-items.js';
import { joined, type MarkdownBlock } from './markdown-block.js';
import { PageBlocks } from './page-blocks.js';
import { isAdmonition, isAdmonitionTitle, isBlock, type PageChild, type PageNode } from './page-tree.js';
import {
  isLayout,
  isPairs,
  rowsOf,
  summaryRowsOf,
  type TableRow,
  type TableRows,
  tableText,
  textTable,
} from './table-rows.js';

/** Characters after which a paragraph goes on in another block: at a line break, or anywhere. */
const LONG = 1_500;
const VERY_LONG = 100_000;
/** Max. lists and quotes around a block: each moves its lines further to the right. */
const MAX_NESTED = 8;
/** Elements that are more than what is in them. */
const WRITTEN_WHOLE = new Set(['table', 'dl', 'ul', 'ol', 'blockquote']);
/** Class of a table that Javadoc makes of `div`s. */
const SUMMARY = 'summary-table';
/** Classes of headings that are declarations in code. */
const DECLARATIONS = ['sig', 'code-header', 'tsd-signature', 'src'];

/** Context of a block. */
interface Place {
  /** Lists and quotes around it. */
  readonly nested: number;
  /** Terms with an id whose definition it is in. */
  readonly terms: number;
}

/** Writes the blocks of a page. */
export class BlockWriter {
  private readonly inline: InlineWriter;
  /** Blocks in a list, a quote or a table are part of its text. */
  private readonly page = new PageBlocks();
  /** Level of the last heading that is no term. */
  private level = 1;

  constructor(target: LinkTarget) {
    this.inline = new InlineWriter(target);
  }

  /** Whether an element adds nothing to the blocks in it, as far as is known while it is open. */
  readonly passesOn = (node: PageNode): boolean => {
    const { element, hasBlock, heading } = node;
    if (element.name === '') return true;
    if (heading !== undefined || !(hasBlock || isBlock(element)) || isCodeBlock(node)) return false;
    return !WRITTEN_WHOLE.has(element.name) && !isAdmonition(element) && !hasClass(element, SUMMARY);
  };

  /** Writes a tree behind those before it. @returns the number of all blocks */
  readonly write = (root: PageNode): number => {
    this.addAll(root.children, { nested: 0, terms: 0 }, this.page.blocks);
    return this.page.blocks.length;
  };

  /** The blocks of all trees. */
  written(): readonly MarkdownBlock[] {
    return this.page.end();
  }

  private push(block: MarkdownBlock, to: MarkdownBlock[]): void {
    if (to === this.page.blocks) this.page.push(block);
    else to.push(block);
  }

  /** Notes the id of an element, which leads to the next block. */
  private noteElement(element: OpenElement, to: MarkdownBlock[]): void {
    const id = to === this.page.blocks ? anchorOf(element) : undefined;
    if (id !== undefined) this.page.note(id);
  }

  /** Notes the ids in a part of the page, likewise. */
  private note(children: readonly PageChild[], to: MarkdownBlock[]): void {
    for (const id of this.idsIn(children, to)) this.page.note(id);
  }

  /** The ids in a part of the page; none where it is in a list, a quote or a table, whose ids are known. */
  private idsIn(children: readonly PageChild[], to: MarkdownBlock[]): readonly string[] {
    return to === this.page.blocks ? idsIn(children) : [];
  }

  private addAll(children: readonly PageChild[], place: Place, to: MarkdownBlock[]): void {
    let run: PageChild[] = [];
    let size = 0;
    const endParagraph = () => {
      if (run.length > 0) this.addParagraph(run, to);
      run = [];
      size = 0;
    };
    for (const child of children) {
      if (isInline(child)) {
        run.push(child);
        size += typeof child === 'string' ? child.length : 0;
        const isBreak = typeof child === 'object' && child.element.name === 'br';
        if (size > VERY_LONG || (isBreak && size > LONG)) endParagraph();
      } else {
        endParagraph();
        this.add(child, place, to);
      }
    }
    endParagraph();
  }

  private addParagraph(children: readonly PageChild[], to: MarkdownBlock[]): void {
    this.note(children, to);
    const text = escapedLines(this.inline.write(children));
    if (text !== '') this.push({ kind: 'paragraph', text }, to);
  }

  private add(node: PageNode, place: Place, to: MarkdownBlock[]): void {
    const { element, children, hasHeading } = node;
    const isNested = place.nested < MAX_NESTED && !hasHeading;
    if (!isCodeBlock(node) && !node.isWrittenInPart) this.noteElement(element, to);
    if (node.heading !== undefined) this.addHeading(node, place, to);
    else if (isCodeBlock(node)) this.addCode(node, to);
    else if (hasClass(element, SUMMARY)) this.addTable(node, summaryRowsOf(node), place, to);
    else if (element.name === 'table') this.addTable(node, rowsOf(node), place, to);
    else if (element.name === 'dl') this.addDefinitions(node, isNested, place, to);
    else if ((element.name === 'ul' || element.name === 'ol') && isNested) this.addList(node, place, to);
    else if ((element.name === 'blockquote' || isAdmonition(element)) && isNested) {
      this.addQuote(children, place, to);
    } else if (isAdmonitionTitle(element)) this.addTitle(children, to);
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
    this.note(children, to);
    const block: MarkdownBlock = {
      kind: 'heading',
      text: `${'#'.repeat(shown)} ${text}${anchor === undefined ? '' : ` {#${anchor}}`}`,
      level: shown,
      ...(anchor === undefined ? {} : { anchor }),
    };
    this.push(block, to);
  }

  private addCode(node: PageNode, to: MarkdownBlock[]): void {
    const code = codeBlock(node);
    if (code.text !== '') this.push({ kind: 'code', ...code }, to);
  }

  /** The title of a note or warning, in front of what it says. */
  private addTitle(children: readonly PageChild[], to: MarkdownBlock[]): void {
    this.note(children, to);
    const text = this.inline.writePlain(children).replace(/:$/, '');
    if (text !== '') this.push({ kind: 'paragraph', text: `**${text}:**` }, to);
  }

  /** A quote. With code or headings in it, it is written without signs: code stays as it is. */
  private addQuote(children: readonly PageChild[], place: Place, to: MarkdownBlock[]): void {
    this.note(children, to);
    const blocks = this.blocksIn(children, place);
    const [title, first] = blocks;
    if (title !== undefined && first?.kind === 'paragraph' && /^\*\*[^\n]*:\*\*$/.test(title.text)) {
      blocks.splice(0, 2, { kind: 'paragraph', text: `${title.text} ${first.text}` });
    }
    if (blocks.some(({ kind }) => kind === 'code')) for (const block of blocks) this.push(block, to);
    else if (blocks.length > 0) this.push({ kind: 'quote', text: joined(blocks).replace(/^/gm, '> ') }, to);
  }

  private addList(node: PageNode, place: Place, to: MarkdownBlock[]): void {
    const items = listItems(node).map(({ marker, children, item }) => ({
      text: listItemText(marker, this.blocksIn(children, place)),
      ids: this.idsIn(item, to),
    }));
    for (const block of listBlocks(items)) this.push(block, to);
  }

  private addDefinitions(node: PageNode, isNested: boolean, place: Place, to: MarkdownBlock[]): void {
    const items = definitionItems(node);
    if (isNested) {
      const listed = items.map(({ terms, definitions }) => ({
        text: this.definition(terms, definitions, place),
        ids: this.idsIn([...terms, ...definitions], to),
      }));
      for (const block of listBlocks(listed)) this.push(block, to);
      return;
    }
    for (const { terms, definitions } of items) {
      let within = place.terms;
      for (const term of terms) {
        this.noteElement(term.element, to);
        if (term.heading === undefined) this.addTitle(term.children, to);
        else {
          this.addHeading(term, place, to);
          within = place.terms + 1;
        }
      }
      for (const definition of definitions) {
        this.noteElement(definition.element, to);
        this.addAll(definition.children, { ...place, terms: within }, to);
      }
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

  private addTable(node: PageNode, all: TableRows, place: Place, to: MarkdownBlock[]): void {
    const { captions, rows } = all;
    for (const caption of captions) this.addAll(caption.children, place, to);
    if (place.nested >= MAX_NESTED || isLayout(node, all)) {
      for (const row of rows) this.addLayoutRow(row, place, to);
      return;
    }
    const idsOf = ({ row }: TableRow) => this.idsIn([row], to);
    const table = textTable(rows, (cell) => this.cellText(cell, place), idsOf);
    const [first] = table.rows;
    if (first === undefined) this.note(node.children, to);
    else if (table.header === undefined && (first.texts.length === 1 || table.rows.length === 1)) {
      for (const row of rows) this.addLayoutRow(row, place, to);
    } else if (isPairs(table)) {
      // Each is read alone: as an item of a list.
      const items = table.rows.map(({ texts: [name = ''], cells, ids }) => {
        const meaning = this.blocksIn(cells[1]?.children ?? [], place);
        return { text: definitionText(name.replaceAll('\\|', '|'), [meaning]), ids };
      });
      for (const block of listBlocks(items)) this.push(block, to);
    } else this.push({ kind: 'table', ...tableText(table) }, to);
  }

  /** A row of a table that only arranges what is in it. */
  private addLayoutRow({ row, cells }: TableRow, place: Place, to: MarkdownBlock[]): void {
    this.noteElement(row.element, to);
    const present = cells.filter((cell) => cell !== undefined);
    if (
      present.some(({ heading, hasBlock, hasHeading }) => heading !== undefined || hasBlock || hasHeading)
    ) {
      for (const cell of present) {
        this.noteElement(cell.element, to);
        // Haddock's constructors are cells.
        this.addAll(cell.heading === undefined ? cell.children : [cell], place, to);
      }
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

function asText(child: PageChild): string {
  return typeof child === 'string' ? child : textOf(child);
}
