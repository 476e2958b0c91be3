import { isPage } from '../site-path.js';

/** Programs that read pages without a reader, by how they name themselves. */
const ROBOT = /bot\b|crawl|spider|slurp/i;

/** Facts about a request that decide whether it counts. */
export interface CountableRequest {
  readonly method: string | undefined;
  readonly userAgent: string | undefined;
  /** `Sec-Purpose`, or the older `Purpose`. */
  readonly purpose?: string | string[] | undefined;
}

/**
 * Whether a request counts as that of a reader: a GET that is no prefetch, and not of a program that says that it is a
 * robot.
 */
export function isOfReader({ method, userAgent, purpose }: CountableRequest): boolean {
  if (method !== 'GET' || (userAgent !== undefined && ROBOT.test(userAgent))) return false;
  return purpose === undefined || !String(purpose).includes('prefetch');
}

/** An ending with a letter: `.png`, not the `.2` of `whatsnew/3.2`. */
const FILE_ENDING = /\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10}$/i;

/** Whether a missing path is that of a style, an image or another file, and not of a page. */
export function isOfFile(path: string): boolean {
  return !isPage(path) && FILE_ENDING.test(path);
}

/** Whether reads of a file are counted: an HTML page. */
export function isCountedPage(path: string): boolean {
  return isPage(path);
}
