import { hasClass } from '../open-element.js';
import type { PageNode } from './page-tree.js';

/** Max. columns of a table: an attribute may ask for thousands. */
const MAX_COLUMNS = 40;
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

/** The rows of a table that Javadoc makes of `div`s. */
export function summaryRowsOf(table: PageNode): TableRows {
  const rows: { isHeader: boolean; cells: PageNode[] }[] = [];
  for (const child of table.children) {
    if (typeof child === 'string') continue;
    const isFirst = hasClass(child.element, 'col-first') || rows.length === 0;
    if (isFirst) rows.push({ isHeader: hasClass(child.element, 'table-header'), cells: [child] });
    else rows.at(-1)?.cells.push(child);
  }
  return { captions: [], rows };
}

/**
 * A table in Markdown.
 * @param cellText Markdown of a cell, in one line
 */
export function tableText(rows: readonly TableRow[], cellText: (cell: PageNode) => string): string {
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const texts = rows.map(({ cells }) => cells.map((cell) => (cell === undefined ? '' : cellText(cell))));
  const header = rows[0]?.isHeader === true ? (texts.shift() ?? []) : [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const all = Array.from({ length: columns }, (_, at) => header[at] ?? '');
  return [line(all), line(all.map(() => '---')), ...texts.map(line)].join('\n');
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
