import { readFileSync, writeFileSync } from 'node:fs';
import { cellsOf, type Row, type Section } from './table.js';

/** The rows that README.md shows: what each is called there, and where it is measured. */
const HEADLINES: readonly (readonly [name: string, title: string, what: RegExp, against?: string])[] = [
  ['pages of 6 KB per second', 'Pages', /^6 KB html$/, 'nginx'],
  ['the same', 'Pages', /^6 KB html$/, 'sirv'],
  ['the same', 'Pages', /^6 KB html$/, 'koa-static'],
  ['the same, time of the slowest of a hundred', 'Pages', /^6 KB html, p99$/],
  ['pages that are not in memory, per second', 'Pages', /distinct pages, none in memory$/, 'sirv'],
  ['a file of 20 MB, bytes per second', 'Pages', /^20 MB file/],
  ['182 files, from the last byte to the first page', 'Publishing', /^small.*to the page$/],
  ['1,173 files, the same', 'Publishing', /^medium.*to the page$/],
  ['10,283 files, the same', 'Publishing', /^large.*to the page$/],
  ['182 files, the whole upload', 'Publishing', /^small.*whole$/],
  ['1,173 files, the same', 'Publishing', /^medium.*whole$/],
  ['10,283 files, the same', 'Publishing', /^large.*whole$/],
  ['an archive of 1 GB, memory above idle', 'Publishing', /^archive of 1000 MB/],
  ['readers during uploads, pages per second', 'Readers during uploads', /^throughput, both cores$/],
  ['the same, time of the slowest of a hundred', 'Readers during uploads', /^p99, both cores$/],
  ['an archive of 46 MB, bytes per second', 'Downloads', /^stored/],
  ['packing 10,283 files put there by hand', 'Downloads', /10,283 files: first/],
  ['list of 20,000 versions, unchanged, per second', 'Listing', /, 304,/],
  ['the same, gzipped', 'Listing', /, gzipped,/],
  ['the same, first one after a change', 'Listing', /^first list/],
  ['a search among 20,000 versions', 'Listing', /^search/],
  ['start with 20,000 versions', 'Listing', /^start to ready$/],
  ['memory with 200,000 versions', 'Listing', /^idle memory/],
  ['start on an empty directory', 'Start', /^start to ready$/, ''],
  ['memory when idle', 'Start', /^idle memory$/],
];
const BEGIN = '<!-- written by npm run bench -->\n';
const END = '<!-- to here -->\n';

/** The table of the most telling rows. */
export function headlinesOf(sections: readonly Section[]): string {
  const lines = HEADLINES.map(([name, ...where]) => lineOf(name, rowAt(sections, ...where)));
  return `| what | against | median (least to greatest) | wanted |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
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
  const [, against, least, median, most, target, met] = cellsOf(row);
  const figures = least === most ? median : `${median} (${least} to ${most})`;
  return `| ${name} | ${against} | ${figures} | ${target}${met === 'no' ? ', missed' : ''} |`;
}
