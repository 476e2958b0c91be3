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

/** Whether reads of a file are counted: an HTML page. */
export function isCountedPage(path: string): boolean {
  return isPage(path);
}
