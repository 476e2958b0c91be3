import { median, ratios } from './numbers.js';

/** `×` is Lectern's value divided by the peer's of the same round. */
export type Unit = '×' | 'µs' | 'ms' | 'MB' | 'KB' | 'rows' | '/s';

/** Measured values, one for each round. */
export interface Figures {
  /** `rate`, `processor time` */
  readonly what: string;
  readonly unit: Unit;
  readonly values: readonly number[];
}

export interface Row extends Figures {
  /** Peer that it is compared with. */
  readonly against: string;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  /** The measured values themselves, in words: they hold for this machine only. */
  readonly detail?: string;
  /** Lectern's own values, by which builds are compared instead of by `values`, in which a peer has a part. */
  readonly own?: readonly Figures[];
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** How the rows were measured, as sentences. */
  readonly note: string;
}

/** Lectern's values divided by a peer's, round by round. */
export function ratioRow(
  {
    what,
    against,
    unit,
    target,
    own,
  }: Pick<Row, 'what' | 'against' | 'unit' | 'own'> & {
    readonly target?: Row['target'] | undefined;
  },
  ours: readonly number[],
  theirs: readonly number[],
): Row {
  return {
    ...{ what, against, unit: '×', values: ratios(ours, theirs), ...(target && { target }) },
    detail: `${written(median(ours), unit)} / ${written(median(theirs), unit)}`,
    own: own ?? [{ what: unit === 'µs' ? 'processor time' : 'time', unit, values: ours }],
  };
}

/** This build's values divided by the previous build's, for each row. */
export function compared(section: Section, before: Section | Error): Section {
  const title = `${section.title}: this build / the one before`;
  if (before instanceof Error) {
    const detail = `not measured before: ${before.message.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
    return { ...section, title, rows: section.rows.map((row) => ({ ...row, detail })) };
  }
  // The same script has made both, so the rows have the same order.
  const rows = section.rows.flatMap((row, at) => {
    const others = before.rows[at] === undefined ? [] : figuresOf(before.rows[at]);
    return figuresOf(row).map(({ what, unit, values }, figure): Row => {
      const other = others[figure]?.values ?? [];
      return {
        ...{ what, against: 'before', unit: '×', values: ratios(values, other) },
        detail: `${written(median(values), unit)} / ${written(median(other), unit)}`,
      };
    });
  });
  // Rows that differ in their peer only have the same values of Lectern.
  const once = rows.filter(({ what }, at) => rows.findIndex((row) => row.what === what) === at);
  return { ...section, title, rows: once };
}

function figuresOf({ what, against, unit, values, own }: Row): Figures[] {
  if (own !== undefined) return own.map((figures) => ({ ...figures, what: `${what}: ${figures.what}` }));
  return [{ what: against === '' ? what : `${what} / ${against}`, unit, values }];
}

const HEADINGS = ['what', 'against', 'min', 'median', 'max', 'target', 'met', 'measured here'];

/** Returns a section as Markdown, for the terminal. */
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
  if (unit === '/s') return digits === 0 ? perSecond(value) : `${value.toFixed(digits)}/s`;
  return `${value.toFixed(digits)} ${unit}`;
}

/** `118,000/s` */
export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
