import { type ProjectRow, TABLE_COLUMNS, type TableColumn, tableOrder } from '../../../application/index.js';
import { filterOf, numberOf, parameterOf, searchOf } from '../api/query.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Answer, type Asked, type Handle, ownPage, textAnswer } from '../response/answer.js';
import { Text } from '../response/texts.js';

/** Rows on a page. */
const MAX_ROWS = 200;
/** Max. rows that are left out at the beginning. */
const MAX_OFFSET = 999_999;
/** Rows of a CSV that are made in one turn of the event loop. */
const ROWS_IN_TURN = 1_000;
const ORDERS = ['asc', 'desc'] as const;
const FORMATS = ['csv', 'html'] as const;

/**
 * Places where spreadsheets begin a formula, full-width ones too (OWASP, CSV Injection): also behind `;` and a tab, which are
 * separators to spreadsheets of some countries whatever is quoted.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[\t\r\n=+\-@＝＋－＠])/g;

/** `/-/projects`: projects with the numbers that operators ask for, as a page, or with `?format=csv` as CSV. */
export function projectTable({ useCases, pages, turns }: AppParts): Handle {
  const { projectTable: table } = useCases;
  return async (asked) => {
    const [search, filter] = [searchOf(asked), filterOf(asked)];
    const sort = choiceOf(asked, 'sort', table.columns) ?? 'project';
    const order = tableOrder(sort, choiceOf(asked, 'order', ORDERS));
    const format = choiceOf(asked, 'format', FORMATS) ?? 'html';
    const offset = numberOf(asked, 'offset', 0, 0, MAX_OFFSET);
    await turns.next();
    asked.waiter.signal.throwIfAborted();
    const all = await table.execute(asked.visitor.seen(), { search, filter }, order);
    if (format === 'csv') return csvAnswer(await csvOf(all, table.columns, () => turns.next()));
    await turns.next();
    const rows = all.slice(offset, offset + MAX_ROWS);
    const facts = { search, filter, ...order, offset, limit: MAX_ROWS, found: all.length, rows };
    return textAnswer(ownPage(pages.table({ ...facts, columns: table.columns })));
  };
}

/**
 * Returns a query parameter that is one of some words; undefined where there is none.
 * @throws HttpFault `invalid_request` for another word
 */
function choiceOf<Word extends string>(asked: Asked, name: string, words: readonly Word[]): Word | undefined {
  const value = parameterOf(asked, name);
  if (value === '') return undefined;
  const word = words.find((each) => each === value);
  if (word === undefined)
    throw new HttpFault('invalid_request', `'${name}' must be one of ${words.join(', ')}`);
  return word;
}

function csvAnswer(csv: string): Answer {
  return {
    ...textAnswer(new Text(csv, 'text/csv; charset=utf-8')),
    headers: { 'Content-Disposition': 'attachment; filename="projects.csv"' },
  };
}

/** All rows, with the directory name in front: titles may be equal. */
async function csvOf(
  rows: readonly ProjectRow[],
  columns: readonly TableColumn[],
  nextTurn: () => Promise<unknown>,
): Promise<string> {
  const names = TABLE_COLUMNS.filter((column) => columns.includes(column));
  const lines = [['directory_name', ...names.map((name) => (name === 'project' ? 'title' : name))].join()];
  for (const [index, { project, values }] of rows.entries()) {
    if (index % ROWS_IN_TURN === ROWS_IN_TURN - 1) await nextTurn();
    lines.push([project.directoryName, ...names.map((name) => values[name])].map(cellOf).join());
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** A cell (RFC 4180), with an apostrophe in front of whatever a spreadsheet would take for a formula. */
function cellOf(value: string | number | Date | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return value.toISOString();
  const text = value.replace(FORMULA, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
