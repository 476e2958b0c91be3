import { median } from './numbers.js';

/** `×` is Lectern's value divided by the peer's of the same round. */
export type Unit = '×' | 'µs' | 'ms' | 'MB' | 'KB' | 'rows' | '/s';

export interface Row {
  readonly what: string;
  /** What it is compared with. */
  readonly against: string;
  readonly unit: Unit;
  /** One for each round. */
  readonly values: readonly number[];
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  /** The measured values themselves, in words: they hold for this machine only. */
  readonly detail?: string;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** How the rows were measured, as sentences. */
  readonly note: string;
}

const HEADINGS = ['what', 'against', 'min', 'median', 'max', 'target', 'met', 'measured here'];

/** One section, for the terminal. */
export function asMarkdown({ title, note, rows }: Section): string {
  return `### ${title}\n\n${note}\n\n${tableOf([HEADINGS, ...rows.map(cellsOf)])}`;
}

/** All sections as one table, with their notes in front of it. */
export function asOneTable(sections: readonly Section[]): string {
  const notes = sections.map(({ title, note }) => `- **${title}**: ${note}\n`).join('');
  const rows = sections.flatMap(({ title, rows }) => rows.map((row) => [title, ...cellsOf(row)]));
  return `${notes}\n${tableOf([['section', ...HEADINGS], ...rows])}`;
}

/** @param rows the first one has the headings */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

/** The cells of a row, in the order of its headings. */
export function cellsOf({ what, against, unit, values, target, detail = '' }: Row): string[] {
  const middle = median(values);
  const figures = [Math.min(...values), middle, Math.max(...values)].map((value) => written(value, unit));
  return [what, against, ...figures, ...targetCells(target, middle, unit), detail];
}

function targetCells(target: Row['target'], middle: number, unit: Unit): [string, string] {
  if (target === undefined) return ['', ''];
  const isLower = 'atLeast' in target;
  const bound = isLower ? target.atLeast : target.atMost;
  const met = isLower ? middle >= bound : middle <= bound;
  return [`${isLower ? '≥' : '≤'} ${written(bound, unit)}`, met ? 'yes' : 'no'];
}

function written(value: number, unit: Unit): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const number = value.toFixed(digits);
  return unit === '×' ? `${number} ×` : unit === '/s' ? `${number}/s` : `${number} ${unit}`;
}

/** `118,000/s` */
export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
