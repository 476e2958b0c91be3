import { hasClass } from '../open-element.js';
import type { PageNode } from './page-tree.js';

/** Max. columns of a table: an attribute may ask for thousands. */
const MAX_COLUMNS = 40;
/** Max. characters of a name in a table of names and meanings, with its link. */
const MAX_NAME = 200;
const CELLS = new Set(['td', 'th']);

/** Cells of a table in rows. Undefined is a place that a cell from above or from the left takes. */
export interface TableRows {
  readonly captions: readonly PageNode[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly isHeader: boolean;
  readonly cells: readonly (PageNode | undefined)[];
}

/** The rows of a `<table>`. */
export function rowsOf(table: PageNode): TableRows {
  const captions: PageNode[] = [];
  const rows: TableRow[] = [];
  /** Rows that the cells above still reach down, by column. */
  const reaching: number[] = [];
  const collect = (node: PageNode, isHead: boolean) => {
    for (const child of node.children) {
      if (typeof child === 'string') continue;
      const { name } = child.element;
      if (name === 'caption') captions.push(child);
      else if (name === 'tr') rows.push(rowOf(child, isHead, reaching));
      else if (!CELLS.has(name) && name !== 'table') collect(child, name === 'thead');
    }
  };
  collect(table, false);
  return { captions, rows };
}

/** Columns of tables that Javadoc makes of `div`s, by their classes. */
const SUMMARIES = new Map([
  ['two-column-summary', 2],
  ['three-column-summary', 3],
  ['four-column-summary', 4],
]);

/** The rows of a table that Javadoc makes of `div`s. */
export function summaryRowsOf(table: PageNode): TableRows {
  const columns = [...SUMMARIES].find(([word]) => hasClass(table.element, word))?.[1];
  const rows: { isHeader: boolean; cells: PageNode[] }[] = [];
  for (const child of table.children) {
    if (typeof child === 'string') continue;
    const isFull = rows.at(-1)?.cells.length === columns;
    const isFirst =
      rows.length === 0 || (columns === undefined ? hasClass(child.element, 'col-first') : isFull);
    if (isFirst) rows.push({ isHeader: hasClass(child.element, 'table-header'), cells: [child] });
    else rows.at(-1)?.cells.push(child);
  }
  return { captions: [], rows };
}

/** The rows of a table in Markdown: of cells in one line each. */
interface TextTable {
  /** Undefined where no row is one of headings. */
  readonly header: readonly string[] | undefined;
  readonly rows: readonly (readonly string[])[];
  /** The cells of the rows. */
  readonly cells: readonly (readonly (PageNode | undefined)[])[];
}

/**
 * Writes the cells of a table, without rows and columns in which nothing is.
 * @param cellText Markdown of a cell, in one line
 */
export function textTable(rows: readonly TableRow[], cellText: (cell: PageNode) => string): TextTable {
  const texts = rows
    .map(({ isHeader, cells }) => ({
      isHeader,
      nodes: cells,
      cells: cells.map((cell) => (cell === undefined ? '' : cellText(cell))),
    }))
    .filter(({ cells }) => cells.some((text) => text !== ''));
  const hasHeader = texts[0]?.isHeader === true && texts.length > 1;
  const columns = texts.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const kept = Array.from({ length: columns }, (_, at) => at).filter((at) =>
    texts.some(({ cells }) => (cells[at] ?? '') !== ''),
  );
  const [first, ...others] = texts.map((row) => ({
    cells: kept.map((at) => row.nodes[at]),
    texts: kept.map((at) => row.cells[at] ?? ''),
  }));
  const body = first === undefined || hasHeader ? others : [first, ...others];
  return {
    header: hasHeader ? first?.texts : undefined,
    rows: body.map((row) => row.texts),
    cells: body.map((row) => row.cells),
  };
}

/** A table in Markdown, which has to have a row of headings: where the page says nothing, it is the first one. */
export function tableText({ header, rows }: TextTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [first = [], ...others] = header === undefined ? rows : [header, ...rows];
  return [line(first), line(first.map(() => '---')), ...others.map(line)].join('\n');
}

/** Whether a table has pairs of a name and its meaning, and no row of headings. */
export function isPairs({ header, rows }: TextTable): boolean {
  if (header !== undefined) return false;
  return rows.every(([name = '', meaning = '', ...others]) => {
    const isName = name !== '' && name.length <= MAX_NAME && !name.includes('<br>');
    return isName && meaning !== '' && others.length === 0;
  });
}

function rowOf({ children }: PageNode, isHead: boolean, reaching: number[]): TableRow {
  const cells: (PageNode | undefined)[] = [];
  const skip = () => {
    while ((reaching[cells.length] ?? 0) > 0) {
      reaching[cells.length] = (reaching[cells.length] ?? 0) - 1;
      cells.push(undefined);
    }
  };
  let isHeader = true;
  for (const child of children) {
    if (typeof child === 'string' || !CELLS.has(child.element.name)) continue;
    skip();
    isHeader &&= child.element.name === 'th';
    const columns = spanOf(child, 'colspan');
    const down = spanOf(child, 'rowspan') - 1;
    for (let column = 0; column < columns && (column === 0 || cells.length < MAX_COLUMNS); column++) {
      if (down > 0 && cells.length < MAX_COLUMNS) reaching[cells.length] = down;
      cells.push(column === 0 ? child : undefined);
    }
  }
  skip();
  return { isHeader: isHead || isHeader, cells };
}

function spanOf({ attributes }: PageNode, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attributes[name] ?? '1', 10);
  return span > 1 ? span : 1;
}
