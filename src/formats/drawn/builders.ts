import { listIn } from '../../domain/by-key.js';
import {
  arrayIn,
  type DocumentParsers,
  type DrawnPage,
  drawnPage,
  encoded,
  escaped,
  fieldsIn,
  type Heading,
  jsonIn,
  nameIn,
} from './drawn-page.js';
import type { DrawnSite } from './drawn-site.js';

/** Max. entries that are read. */
const MAX_ENTRIES = 20_000;
const MAX_TAGS = 20;
/** Tags that Storybook gives by itself. */
const OWN_TAGS = /^(?:dev|test|manifest|autodocs|story|docs|play-fn|(?:un)?attached-mdx)$/;

interface Entry {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly isDocs: boolean;
  readonly tags: readonly string[];
  readonly importPath: string | undefined;
}

/**
 * Pages of a Storybook, from its `index.json` of format 4 or 5: one for each component, whose sections are its stories. A page
 * has the address of the component's docs, or of its first story.
 */
export function storybookPages(text: string): DrawnPage[] {
  const entries = Object.values(fieldsIn(fieldsIn(jsonIn(text)).entries)).slice(0, MAX_ENTRIES);
  const components = new Map<string, Entry[]>();
  for (const entry of entries.flatMap((each) => entryIn(each) ?? [])) {
    listIn(components, entry.title).push(entry);
  }
  return Array.from(components, ([title, of]) => pageOf(title, of));
}

function entryIn(value: unknown): Entry | undefined {
  const fields = fieldsIn(value);
  const id = nameIn(fields.id);
  const title = nameIn(fields.title);
  const name = nameIn(fields.name);
  if (id === undefined || title === undefined || name === undefined) return undefined;
  const tags = arrayIn(fields.tags).flatMap((tag) => nameIn(tag) ?? []);
  return {
    id,
    title,
    name,
    isDocs: fields.type === 'docs',
    tags: tags.filter((tag) => !OWN_TAGS.test(tag)).slice(0, MAX_TAGS),
    importPath: nameIn(fields.importPath),
  };
}

function pageOf(title: string, entries: readonly Entry[]): DrawnPage {
  const [first] = entries;
  const [docs, ...otherDocs] = entries.filter(({ isDocs }) => isDocs);
  const stories = entries.filter(({ isDocs }) => !isDocs);
  const shown = docs ?? first;
  const path = `./?path=/${docs === undefined ? 'story' : 'docs'}/${encoded(shown?.id ?? '')}`;
  const sources = new Set(entries.map(({ importPath }) => importPath).filter((each) => each !== undefined));
  const about = Array.from(sources, (source) => `<p><code>${escaped(source)}</code></p>`).join('');
  // Storybook shows docs at the address of a story, too.
  const sections = [...otherDocs, ...stories].map(
    ({ id, name, tags }) => `<h2 id="${escaped(id)}">${escaped(name)}</h2>${tagsOf(tags)}`,
  );
  return drawnPage(
    path,
    title,
    `<h1>${escaped(title)}</h1>${tagsOf(docs?.tags ?? [])}${about}${sections.join('')}`,
  );
}

function tagsOf(tags: readonly string[]): string {
  return tags.length === 0 ? '' : `<p>Tags: ${escaped(tags.join(', '))}</p>`;
}

type Docsify = Extract<DrawnSite, { readonly kind: 'docsify' }>;

const README = /(^|\/)README\.md$/;
/** Characters that docsify takes out of a text for the id of a heading (its `slugify.js`). */
const LEFT_OUT = /[\u2000-\u206F\u2E00-\u2E7F\\'!"#$%&()*+,./:;<=>?@[\]^`{|}~]/g;
const EMOJI = /[\p{Emoji_Presentation}\p{Extended_Pictographic}]|\uFE0F/gu;
const OWN_ID = /(?:^|\s):id=([\w%-]{1,200})/;
/** The first heading, also one that is underlined. */
const TITLE = /^(?: {0,3}#{1,6}[ \t]+(.{1,300}?)[ \t#]*|(\S.{0,300})\r?\n={3,}[ \t]*)$/m;

/** Whether a file is a page: names with `_` are parts of others. */
export function isDocsifyPage({ directory }: Docsify, file: string): boolean {
  const name = file.slice(directory.length);
  return file.startsWith(directory) && name.endsWith('.md') && !/(?:^|\/)[_.]/.test(name);
}

/** Path of the page that docsify shows of a file: `./#/guide` for `guide.md`, `./#/a/` for `a/README.md`. */
export function docsifyPath({ directory, homepage }: Docsify, file: string): string {
  if (file === homepage) return './#/';
  const name = file.slice(directory.length).replace(README, '$1').replace(/\.md$/, '');
  return `./#/${name.split('/').map(encoded).join('/')}`;
}

/** The first heading in the Markdown of a page; empty without one. */
export function docsifyTitle(markdown: string): string {
  const [, title = '', underlined = ''] = TITLE.exec(markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')) ?? [];
  return (title || underlined)
    .replace(OWN_ID, '')
    .replace(/<[^>]*>|[`*]/g, '')
    .trim();
}

/** The page of a Markdown file, with the ids that docsify gives its headings. */
export function docsifyPage(site: Docsify, file: string, text: string, parsers: DocumentParsers): DrawnPage {
  const counts = new Map<string, number>();
  const html = parsers.markdown(text, (heading) => headingOf(heading, counts));
  return drawnPage(docsifyPath(site, file), docsifyTitle(text) || file, html);
}

/** @param counts of the ids before */
function headingOf(heading: string, counts: Map<string, number>): Heading {
  const text = heading.replace(OWN_ID, '');
  const slug = (OWN_ID.exec(heading)?.[1] ?? text)
    .trim()
    .normalize('NFC')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(EMOJI, '')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/<[^>]+>/g, '')
    .replace(LEFT_OUT, '')
    .replace(/\s/g, '-')
    .replace(/^(\d)/, '_$1');
  const before = counts.get(slug);
  const count = before === undefined ? 0 : before + 1;
  counts.set(slug, count);
  // docsify 4 has one hyphen in place of several, and keeps emoji.
  if (slug.includes('--') || text.search(EMOJI) !== -1) return { text };
  return { text, id: count === 0 ? slug : `${slug}-${count}` };
}
