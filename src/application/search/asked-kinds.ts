import type { PageKind } from '../../formats/html/index.js';
import type { FoundPage } from './found-page.js';
import { RANKING } from './ranking-weights.js';

const THINGS = '(?:functions?|classes|class|modules?|symbols?|names?|options?|commands?|methods?)';

/**
 * Words of a search, between spaces, that ask for pages of a kind. `new` and `index` alone do not: most who create a new index want
 * no release notes and no list.
 */
const ASKED: Readonly<Partial<Record<PageKind, RegExp>>> = {
  'release-notes':
    / (?:releases?|upgrad(?:e|es|ing)|change-?logs?|change log|changes|news|whatsnew|what s new|new (?:features?|in|since)|deprecated|deprecations?) /,
  past: / (?:deprecated|deprecations?|obsolete|removed) /,
  sample: / (?:samples?|examples?) /,
  source: / sources? /,
  'generated-list': new RegExp(
    `^ index $| genindex | alphabetical | ${THINGS} (?:index|hierarchy) | index (?:of )?${THINGS} `,
  ),
};

/** Factor of a page by its kind: less than 1 where the search does not ask for pages of this kind. */
export function kindFactor({ kind, words }: Pick<FoundPage, 'kind' | 'words'>): number {
  const typed = ` ${words.map(({ folded }) => folded).join(' ')} `;
  return ASKED[kind]?.test(typed) ? 1 : RANKING.kind[kind];
}
