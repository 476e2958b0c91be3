import { readFileSync, writeFileSync } from 'node:fs';
import { cellsOf, type Row, type Section } from './table.js';

/** Rows of README.md: the name of each, and where it is measured. The text below the table says how to read them. */
const HEADLINES: readonly (readonly [name: string, title: string, what: RegExp, against?: string])[] = [
  ['processor time of a 6 KB page from memory', 'Pages', /^6 KB html$/, 'sirv'],
  ['processor time of a page that is not in memory', 'Pages', /distinct pages, none in memory$/, 'sirv'],
  ['time of a whole upload of 10,283 files', 'Publishing', /^large.*whole$/],
  ['start on an empty directory', 'Start', /^start to ready$/, ''],
  ['memory when idle', 'Start', /^idle memory$/],
];
const BEGIN = '<!-- written by npm run bench -->\n';
const END = '<!-- to here -->\n';

/** The table of README.md. */
export function headlinesOf(sections: readonly Section[]): string {
  const lines = HEADLINES.map(([name, ...where]) => lineOf(name, rowAt(sections, ...where)));
  return `| what | compared with | median (min to max) | target |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}

/** Replaces what stands between the two marks of a document. */
export function writeInto(file: string, markdown: string): void {
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${file} has no place for tables`);
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n${markdown}\n${text.slice(end)}`);
}

function rowAt(sections: readonly Section[], title: string, what: RegExp, against?: string): Row {
  const rows = sections.find((section) => section.title === title)?.rows ?? [];
  const row = rows.find(
    (each) => what.test(each.what) && (against === undefined || each.against === against),
  );
  if (row === undefined) throw new Error(`there is no row ${what} in ${title}`);
  return row;
}

function lineOf(name: string, row: Row): string {
  const [, against, min, median, max, target, met] = cellsOf(row);
  const figures = min === max ? median : `${median} (${min} to ${max})`;
  return `| ${name} | ${against} | ${figures} | ${target}${met === 'no' ? ', missed' : ''} |`;
}
