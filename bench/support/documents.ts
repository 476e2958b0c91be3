import { readFileSync, writeFileSync } from 'node:fs';

const BEGIN = '<!-- written by npm run bench -->\n';
const END = '<!-- to here -->\n';

/** Replaces what stands between the two marks of a document. */
export function writeInto(file: string, markdown: string): void {
  const text = readFileSync(file, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${file} has no place for tables`);
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n${markdown}\n${text.slice(end)}`);
}
