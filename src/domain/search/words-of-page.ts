import { decodedComponent, withoutTrailingSlashes } from '../url-component.js';
import { MAX_TERM_CHARACTERS } from './search-term.js';

/** Endings of pages that say nothing about them. */
const ENDING = /(?:^|\/)index\.html?$|\.(?:x?html?|php|md|rst|txt)$/i;
/** Components whose words say what a page is about: its own name, and that of its directory. */
const MAX_TELLING = 2;

/**
 * Returns the words in the path of a page, to search for it: `getting started install` for `en/getting-started/install.html`.
 * @param page path inside a site, percent-encoded
 */
export function wordsOfPage(page: string): string {
  const path = withoutTrailingSlashes(decodedComponent(page)).replace(ENDING, '');
  const telling = path.split('/').slice(-MAX_TELLING).join(' ');
  const words = new Set(telling.match(/[\p{L}\p{M}\p{N}]+(?:\.\p{N}+)*/gu));
  return [...[...words].join(' ')].slice(0, MAX_TERM_CHARACTERS).join('');
}
