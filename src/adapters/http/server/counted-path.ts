import { isCountedPage, type Version } from '../../../domain/index.js';

/** A page of a version, or a missing one, that a response is about. */
export interface CountedPath {
  readonly version: Version;
  /** Undefined for an address that no page can have. */
  readonly path: string | undefined;
}

/** Returns the page whose reads are counted; undefined for a file that is no page. */
export function countedPage(version: Version, path: string): CountedPath | undefined {
  return isCountedPage(path) ? { version, path } : undefined;
}
