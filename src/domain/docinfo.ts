/** The description of a project in `docinfo.yaml`, `docinfo.yml` or `docinfo.json` (contract section 4). */
export interface Docinfo {
  readonly name?: string;
  readonly description?: string;
  /** A path inside the site, relative to its root. */
  readonly logo?: string;
  /** Whether the version switcher is added to the project's pages. Overrides the server's `--switcher`. */
  readonly switcher?: boolean;
}

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
}
