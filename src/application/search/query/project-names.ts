import type { LiveRevision } from '../../ports/search-index.js';
import { wordsOfName } from '../words/words-of-name.js';
import type { Query } from './parse-query.js';
import type { WordSource } from './resolve-words.js';

/** The revisions that a query may be about: `project:` names one project. */
export function inProject({ project }: Query, live: readonly LiveRevision[]): readonly LiveRevision[] {
  return project === undefined
    ? live
    : live.filter((each) => each.project.toLowerCase() === project.toLowerCase());
}

/** The words of the names of projects, as if each stood in one page: none is a typo, and a typo may mean one. */
export function namesOf(live: readonly LiveRevision[]): WordSource {
  const words = live.flatMap(({ project }) => wordsOfName(project));
  const tokens = new Set(words.flatMap((word) => word.tokens));
  const spellings = [...new Set(words.map(({ folded }) => folded))];
  return {
    pagesWith: (token) => (tokens.has(token) ? 1 : 0),
    hasPrefix: (token) => [...tokens].some((each) => each.startsWith(token)),
    spellingsNear: (length) => spellings.filter((each) => each.length === length),
  };
}
