import { median } from './numbers.js';

/** `×` is Lectern's value divided by the peer's of the same round. */
export type Unit = '×' | 'ms' | 'MB' | '/s';

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
  /** What one has to know to read the table. */
  readonly note: string;
}

const HEADINGS = ['what', 'against', 'min', 'median', 'max', 'target', 'met', 'measured here'];

export function asMarkdown({ title, note, rows }: Section): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  lines.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return `### ${title}\n\n${note}\n\n${lines.join('\n')}\n`;
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
