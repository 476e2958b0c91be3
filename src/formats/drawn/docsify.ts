import { type DocumentParsers, type DrawnPage, drawnPage, encoded, type Heading } from './drawn-page.js';
import type { DrawnSite } from './drawn-site.js';

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
