import { hasClass } from '../open-element.js';
import type { AnchorPlace, MarkdownBlock } from './markdown-block.js';
import type { PageNode } from './page-tree.js';

/** Max. columns of a table: an attribute may ask for thousands. */
const MAX_COLUMNS = 40;
/** Max. characters of a name in a table of names and meanings, with its link. */
const MAX_NAME = 200;
const CELLS = new Set(['td', 'th']);

/** Cells of a table in rows. Undefined: a cell from above or from the left spans this place. */
export interface TableRows {
  readonly captions: readonly PageNode[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** The element, or its replacement. */
  readonly row: PageNode;
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
  const rows: { row: PageNode; isHeader: boolean; cells: PageNode[] }[] = [];
  for (const child of table.children) {
    if (typeof child === 'string') continue;
    const isFull = rows.at(-1)?.cells.length === columns;
    const isFirst =
      rows.length === 0 || (columns === undefined ? hasClass(child.element, 'col-first') : isFull);
    if (isFirst)
      rows.push({
        row: { ...table, element: child.element, children: [] },
        isHeader: hasClass(child.element, 'table-header'),
        cells: [],
      });
    const last = rows.at(-1);
    last?.cells.push(child);
    last?.row.children.push(child);
  }
  return { captions: [], rows };
}

/** Whether a table is only layout. */
export function isLayout({ hasHeading, hasCode, children }: PageNode, { rows }: TableRows): boolean {
  return hasHeading || hasCode || hasTable(children) || rows.every(({ cells }) => cells.length < 2);
}

function hasTable(children: PageNode['children']): boolean {
  return children.some(
    (child) => typeof child === 'object' && (child.element.name === 'table' || hasTable(child.children)),
  );
}

/** A row of a table in Markdown. */
interface TextRow {
  /** Cells, each on one line. */
  readonly texts: readonly string[];
  readonly cells: readonly (PageNode | undefined)[];
  readonly ids: readonly string[];
}

interface TextTable {
  /** Undefined where no row is one of headings. */
  readonly header: TextRow | undefined;
  readonly rows: readonly TextRow[];
}

/**
 * Writes the cells of a table, without empty rows and columns. The ids of an empty row go to the next row.
 * @param cellText Markdown of a cell, in one line
 * @param idsOf the ids in a row
 */
export function textTable(
  rows: readonly TableRow[],
  cellText: (cell: PageNode) => string,
  idsOf: (row: TableRow) => readonly string[],
): TextTable {
  let waiting: string[] = [];
  const written = rows.flatMap((row) => {
    waiting.push(...idsOf(row));
    const texts = row.cells.map((cell) => (cell === undefined ? '' : cellText(cell)));
    if (texts.every((text) => text === '')) return [];
    const ids = waiting;
    waiting = [];
    return [{ row, texts, ids }];
  });
  const hasHeader = written[0]?.row.isHeader === true && written.length > 1;
  const columns = written.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const kept = Array.from({ length: columns }, (_, at) => at).filter((at) =>
    written.some(({ texts }) => (texts[at] ?? '') !== ''),
  );
  const all = written.map(
    ({ row, texts, ids }): TextRow => ({
      texts: kept.map((at) => texts[at] ?? ''),
      cells: kept.map((at) => row.cells[at]),
      ids,
    }),
  );
  return { header: hasHeader ? all[0] : undefined, rows: hasHeader ? all.slice(1) : all };
}

/** A table in Markdown, which has to have a row of headings: where the page says nothing, it is the first one. */
export function tableText({ header, rows }: TextTable): Pick<MarkdownBlock, 'text' | 'anchors'> {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const all = header === undefined ? rows : [header, ...rows];
  const lines = all.map(({ texts }) => line(texts));
  lines.splice(1, 0, line((all[0]?.texts ?? []).map(() => '---')));
  const anchors: AnchorPlace[] = [];
  let from = 0;
  for (const [at, text] of lines.entries()) {
    for (const id of at === 1 ? [] : (all[Math.max(0, at - 1)]?.ids ?? [])) anchors.push({ id, from });
    from += text.length + 1;
  }
  return { text: lines.join('\n'), anchors };
}

/** Whether a table has pairs of a name and its meaning, and no row of headings. */
export function isPairs({ header, rows }: TextTable): boolean {
  if (header !== undefined) return false;
  return rows.every(({ texts: [name = '', meaning = '', ...others] }) => {
    const isName = name !== '' && name.length <= MAX_NAME && !name.includes('<br>');
    return isName && meaning !== '' && others.length === 0;
  });
}

function rowOf(row: PageNode, isHead: boolean, reaching: number[]): TableRow {
  const cells: (PageNode | undefined)[] = [];
  const skip = () => {
    while ((reaching[cells.length] ?? 0) > 0) {
      reaching[cells.length] = (reaching[cells.length] ?? 0) - 1;
      cells.push(undefined);
    }
  };
  let isHeader = true;
  for (const child of row.children) {
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
  return { row, isHeader: isHead || isHeader, cells };
}

function spanOf({ attributes }: PageNode, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attributes[name] ?? '1', 10);
  return span > 1 ? span : 1;
}
