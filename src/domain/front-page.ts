/** What the front page of a site says about the project, where nobody else does. */
export interface FrontPage {
  /** Its `<title>` without version and `documentation`; see `titleOfFrontPage`. */
  readonly title?: string;
  /** Its `<meta name="description">`. */
  readonly description?: string;
  /** Path of its icon inside the site. */
  readonly icon?: string;
}

/** Longer titles are sentences. */
const MAX_TITLE = 60;
/** A description that is longer was written for somebody else. */
const MAX_DESCRIPTION = 300;

/** What stands between the parts of a `<title>`: `Quickstart — Flask Documentation (2.2.x)`. */
const BETWEEN_PARTS = /\s+[—–|·-]\s+/;
/** A version: `(2.2.x)`, `v1.2`, `15.2`, `3.0.0rc1`. One number alone may be part of a name. */
const VERSION = /\(\s*v?\d[\w.+-]*\s*\)|\bv\d[\w.+-]*|\b\d+\.\d[\w.+-]*/gi;
const NOISE =
  /^welcome to(?: the)?\b|'s\b(?=\s+(?:documentation|docs)\b)|\b(?:documentation|docs)\b|\bhome ?page\b|:\s*main page$/gi;
/** Title of an API reference by Javadoc. */
const IN_BRACKETS = /^overview \((.+)\)$/i;
/** Titles and descriptions that every site could have. */
const COMMON = new Set([
  'home',
  'index',
  'overview',
  'main page',
  'welcome',
  'contents',
  'table of contents',
  'start',
  'package index',
  'module index',
  'introduction',
]);

/** Returns the name of a project in the `<title>` of its front page; undefined when there is none. */
export function titleOfFrontPage(text: string): string | undefined {
  return text
    .slice(0, 10 * MAX_TITLE)
    .split(BETWEEN_PARTS)
    .map(plainPart)
    .find(
      (part) => /[\p{L}\p{N}]/u.test(part) && part.length <= MAX_TITLE && !COMMON.has(part.toLowerCase()),
    );
}

/** Returns the description of a front page as a line; undefined when it is none. */
export function descriptionOfFrontPage(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  const says = line !== '' && line.length <= MAX_DESCRIPTION && !COMMON.has(line.toLowerCase());
  return says ? line : undefined;
}

function plainPart(part: string): string {
  const words = part.trim().replace(VERSION, ' ').replace(NOISE, ' ').replace(/\s+/g, ' ').trim();
  return words.replace(IN_BRACKETS, '$1').replace(/^[\s:,.!–—-]+|[\s:,.!–—-]+$/g, '');
}
