import { type PageText, type ReadingOptions, readPage } from '../../src/formats/html/index.js';

/** A page from its HTML. */
export function read(html: string, options: Partial<ReadingOptions> = {}): PageText {
  return readPage(Buffer.from(html), { path: 'page.html', ...options });
}

/** The text of all sections, with their headings. */
export function wordsOf({ sections }: PageText): string {
  return sections.map(({ heading, text }) => `${heading}\n${text}`).join('\n');
}

/** Sections in short: level, heading, anchor and text. */
export function outline({ sections }: PageText) {
  return sections.map(({ level, heading, anchor, text }) => [level, heading, anchor, text]);
}
