/** What a project says of itself in `docinfo.yaml`, `docinfo.yml` or `docinfo.json` (contract section 4). */
export interface Docinfo {
  readonly name?: string;
  readonly description?: string;
  /** A path inside the site, relative to its root. */
  readonly logo?: string;
  /** Whether the version switcher is added to the project's pages, whatever the server does by itself. */
  readonly switcher?: boolean;
}

/** The file names that are looked for at the root of a site; the first that exists counts. */
export const DOCINFO_FILES = ['docinfo.yaml', 'docinfo.yml', 'docinfo.json'] as const;

/** Size limit of a docinfo file, in bytes: a description of a project fits into far less. */
export const MAX_DOCINFO_BYTES = 8 * 1024;

/** The problem with a docinfo file over the limit, worded to follow the file's name. */
export const docinfoTooLarge = `is larger than ${MAX_DOCINFO_BYTES} bytes`;

/** What reading a docinfo file gave: its fields, or why it was ignored. A broken one never blocks a site. */
export interface DocinfoReading {
  readonly docinfo?: Docinfo;
  readonly problem?: string;
}
