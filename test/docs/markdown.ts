import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { ROOT } from '../support/root.js';

/** Markdown file with its path from the root of the repository. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** Everything that people read: `*.md` at the root, and below `docs/`. */
export async function documents(): Promise<readonly Document[]> {
  const atRoot = (await readdir(ROOT)).filter((name) => name.endsWith('.md'));
  const below = await filesBelow('docs', /\.md$/);
  return Promise.all([...atRoot, ...below].map(document));
}

export async function document(path: string): Promise<Document> {
  return { path, text: await readFile(join(ROOT, path), 'utf8') };
}

/** Paths from the root of the repository, sorted. */
export async function filesBelow(directory: string, name: RegExp): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, directory), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

export interface Fence {
  readonly language: string;
  readonly code: string;
}

/** The code blocks between three backticks, in order. */
export function fencesOf({ text }: Document): readonly Fence[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** Titles of the headings with their levels, without lines of code that look like headings. */
export function headingsOf({
  text,
}: Document): readonly { readonly level: number; readonly title: string }[] {
  return [...withoutFences(text).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = '', title = '']) => ({
    level: marks.length,
    title,
  }));
}

/** The anchors of the headings, as GitHub makes them: the second `Added` is `added-1`. */
export function anchorsOf(document: Document): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { title } of headingsOf(document)) {
    const anchor = title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    for (let count = 0; ; count++) {
      const unique = count === 0 ? anchor : `${anchor}-${count}`;
      if (anchors.has(unique)) continue;
      anchors.add(unique);
      break;
    }
  }
  return anchors;
}

/** Targets of inline links and images, outside of code. */
export function linksOf({ text }: Document): readonly string[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/**
 * Returns the rows of the table with exactly this head, cell by cell, without the head.
 * @throws when there is no such table, so that a test can't pass over nothing
 */
export function tableOf({ path, text }: Document, ...head: readonly string[]): readonly string[][] {
  const lines = text.split('\n');
  const start = lines.indexOf(`| ${head.join(' | ')} |`);
  if (start < 0) throw new Error(`${path} has no table with the head ${head.join(', ')}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Returns the texts between backticks in a cell. */
export function codeIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code);
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}
