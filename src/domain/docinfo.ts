/** The description of a project in `docinfo.yaml`, `docinfo.yml` or `docinfo.json` (contract section 4). */
export interface Docinfo {
  readonly name?: string;
  readonly description?: string;
  /** A path inside the site, relative to its root. */
  readonly logo?: string;
  /** Whether the version switcher is added to the project's pages. Overrides the server's `--switcher`. */
  readonly switcher?: boolean;
  /** Corner of the window that the version switcher is in, until the reader moves it. */
  readonly switcherCorner?: Corner;
  /** Whether full-text search finds the project's pages. @default true */
  readonly search?: boolean;
  /** Heading in the index under which the project stands. */
  readonly group?: string;
  /** Words that the index can be filtered by; no two are equal but for case. */
  readonly tags?: readonly string[];
  /** Person or team responsible for the project. */
  readonly owner?: string;
  /** Where the source is; a link if it is an address of the web. */
  readonly repository?: string;
  /** Where to ask; a link if it is an address of the web or of e-mail. */
  readonly contact?: string;
}

/** Max. characters of the texts that the index shows beside name and description. */
export const MAX_DOCINFO_TEXT = { group: 100, owner: 100, repository: 500, contact: 200 } as const;
/** Max. number of tags, and max. characters of each. */
export const MAX_TAGS = 10;
export const MAX_TAG_CHARACTERS = 40;

/** Corners of a window. */
export const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type Corner = (typeof CORNERS)[number];

/** File names of a docinfo at the root of a site, by precedence: the first that exists is read. */
export const DOCINFO_FILES = ['docinfo.yaml', 'docinfo.yml', 'docinfo.json'] as const;

/** Max. size of a docinfo file, in bytes. A description needs far less. */
export const MAX_DOCINFO_BYTES = 8 * 1024;

/** The problem with a docinfo file over the limit, worded to follow the file's name. */
export const docinfoTooLarge = `is larger than ${MAX_DOCINFO_BYTES} bytes`;

/** The result of reading a docinfo file: its fields, or why it was ignored. A broken file never blocks a site. */
export interface DocinfoReading {
  readonly docinfo?: Docinfo;
  readonly problem?: string;
  /** Fields that are none of a docinfo, and do nothing. */
  readonly unknown?: readonly UnknownField[];
}

export interface UnknownField {
  readonly field: string;
  /** The field that was probably meant. */
  readonly meant?: string | undefined;
}

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
