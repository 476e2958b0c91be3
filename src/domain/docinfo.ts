import type { NamedDownload } from './downloads.js';

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
  /** Location of the source; a link if it is a web address. */
  readonly repository?: string;
  /** `public`: readers see where versions were built from, whoever they are. */
  readonly source?: 'public';
  /** Contact; a link if it is a web or e-mail address. */
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
  /** Downloads that it names, whether or not the site has them; undefined leaves them to the front page. */
  readonly downloads?: readonly NamedDownload[];
  /** Fields that are none of a docinfo, and do nothing. */
  readonly unknown?: readonly UnknownField[];
}

export interface UnknownField {
  readonly field: string;
  /** Field that was probably meant. */
  readonly meant?: string | undefined;
}

/** Description of a project on its site's front page. Used where nothing else describes the project. */
export interface FrontPage {
  /** The `<title>`, as one line; records of older servers have the part that was shown. */
  readonly title?: string;
  /** The `<meta name="description">`. */
  readonly description?: string;
  /** Path of the icon inside the site. */
  readonly icon?: string;
}
