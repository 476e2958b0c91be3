import { fold } from './search-term.js';

/** Max. characters of a title. Longer ones are sentences. */
const MAX_TITLE = 60;
/** Max. characters of a `<title>` that are read. */
const MAX_TEXT = 300;
/** Max. characters of a description. A longer one is ignored: it was written for somebody else. */
const MAX_DESCRIPTION = 300;

/** Separator of the parts of a `<title>`: `Quickstart — Flask Documentation (2.2.x)`. */
const BETWEEN_PARTS = /\s+(?:[—–|·•-]|::)\s+/;
/** Separator of a name and its description: `Requests: HTTP for Humans`. */
const BETWEEN_NAME_AND_REST = /:\s+/;
/** A version: `(2.2.x)`, `v1.2`, `15.2`, `Release 3.0.0rc1`. A single number may be part of a name. */
const VERSION = /(?:\b(?:version|release)\s+)?(?:\(\s*v?\d[\w.+-]*\s*\)|\bv\d[\w.+-]*|\b\d+\.\d[\w.+-]*)/gi;
const GREETING = /^(?:welcome to|hello from)(?: the)?\s+/i;
/** Titles by Javadoc and Texinfo. */
const IN_BRACKETS = /^(?:overview|top) \((.+)\)$/i;
/** The name of a manual page says no more than the name of the project: `git(1)`. */
const MANUAL_PAGE = /^[\w.+-]+\(\d\w*\)$/;
const AT_THE_ENDS = /^[\s:,.!–—-]+|[\s:,.!–—-]+$/g;
/** Kinds of a site, behind the name of the project. */
const KIND = /(?:['’]s)?[\s,:]+(documentation|docs|reference(?: (?:manual|guide))?|home ?page|main page)$/i;
/** Titles and descriptions that every site could have. */
const COMMON = new Set([
  'api',
  'api reference',
  'contents',
  'docs',
  'documentation',
  'documentation by yard',
  'file',
  'getting started',
  'home',
  'home page',
  'homepage',
  'index',
  'introduction',
  'jsdoc',
  'main page',
  'module index',
  'overview',
  'package index',
  'quick start',
  'quickstart',
  'readme',
  'redoc',
  'reference',
  'reference guide',
  'reference manual',
  'start',
  'storybook',
  'swagger ui',
  'table of contents',
  'top',
  'welcome',
]);

/** Returns the `<title>` of a front page as a line; undefined when it has no word. */
export function frontPageTitle(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT).trim();
  return /[\p{L}\p{N}]/u.test(line) ? line : undefined;
}

/** Returns the description of a front page as a line; undefined when it is none. */
export function descriptionOfFrontPage(text: string): string | undefined {
  const line = text.replace(/\s+/g, ' ').trim();
  const says = line !== '' && line.length <= MAX_DESCRIPTION && !isBoilerplate(line);
  return says ? line : undefined;
}

/**
 * Returns the title of a project that nobody named: the part of its front page's `<title>` that is the name of the project, as
 * it is written there, else the first part that says something, without versions and boilerplate; else the project's own name
 * as people write one.
 * @param name directory name of the project
 */
export function titleFor(name: string, frontPage: string | undefined): string {
  const parts = frontPage?.slice(0, MAX_TEXT).split(BETWEEN_PARTS) ?? [];
  const told = parts.map((part) => partFor(name, part)).filter((part) => part !== undefined);
  return told.find((part) => isName(part, name)) ?? told[0] ?? written(name);
}

function isBoilerplate(text: string): boolean {
  return COMMON.has(text.toLowerCase());
}

/** A name as people write it: with a capital, and spaces for hyphens. A name that has capitals stays unchanged. */
function written(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim();
  if (words === '' || /\p{Lu}/u.test(name)) return name;
  return words.replace(/^./u, (first) => first.toUpperCase());
}

function partFor(name: string, part: string): string | undefined {
  const plain = plainPart(name, part);
  const sides = plain.split(BETWEEN_NAME_AND_REST).map((side) => plainPart(name, side));
  const own = [plain, ...sides].find((text) => isName(text, name));
  if (own !== undefined) return own;
  const telling = [...new Set(sides.filter(isTelling))];
  const title = telling.length === 1 ? telling[0] : plain;
  return telling.length > 0 && title !== undefined && title.length <= MAX_TITLE ? title : undefined;
}

function isTelling(text: string): boolean {
  return /\p{L}/u.test(text) && !isBoilerplate(text) && !MANUAL_PAGE.test(text);
}

/** Returns a part without versions and boilerplate; the name of the project stays, whatever it is. */
function plainPart(name: string, part: string): string {
  const text = part.replace(/\s+/g, ' ').replace(AT_THE_ENDS, '');
  if (isName(text, name) || MANUAL_PAGE.test(text)) return text;
  const plain = text
    .replace(IN_BRACKETS, '$1')
    .replace(VERSION, ' ')
    .replace(GREETING, '')
    .replace(KIND, (all, kind: string) => (hasWord(name, kind) ? all : ''));
  return plain === text ? text : plainPart(name, plain);
}

function hasWord(name: string, word: string): boolean {
  return name.toLowerCase().split(/[-_.]/).includes(word.toLowerCase());
}

/** Whether a text is a name but for case and separators. */
function isName(text: string, name: string): boolean {
  return bare(text) !== '' && bare(text) === bare(name);
}

function bare(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}+#]+/gu, '');
}
