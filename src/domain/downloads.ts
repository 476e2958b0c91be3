import { SitePath } from './site-path.js';

/** A file of a site that readers take with them, such as a manual as PDF. */
export interface Download {
  /** Path inside the site. */
  readonly file: string;
  readonly label: string;
  /** Bytes. */
  readonly size: number;
}

/** A download as somebody names it; the name of the file is the label of one without. */
export type NamedDownload = Pick<Download, 'file'> & { readonly label?: string | undefined };

/** Max. downloads of a version. */
export const MAX_DOWNLOADS = 20;
/** Max. characters of a label. */
export const MAX_DOWNLOAD_LABEL = 100;

/** Returns whether a path is that of a file that a site may serve. */
export function isServedFile(path: string): boolean {
  return path !== '' && SitePath.of(path)?.isHidden === false;
}

/**
 * Returns the downloads that are files of the site, each file once, and the paths of those that are not.
 * @param sizeOf returns the bytes of a file; undefined where there is none
 */
export function downloadsIn(
  named: readonly NamedDownload[],
  sizeOf: (file: string) => number | undefined,
): { readonly downloads: readonly Download[]; readonly missing: readonly string[] } {
  const downloads = new Map<string, Download>();
  const missing = new Set<string>();
  for (const { file, label = file.slice(file.lastIndexOf('/') + 1) } of named) {
    const size = isServedFile(file) ? sizeOf(file) : undefined;
    if (size === undefined) missing.add(file);
    else if (!downloads.has(file)) downloads.set(file, { file, label, size });
  }
  return { downloads: [...downloads.values()], missing: [...missing] };
}
