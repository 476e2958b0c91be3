import { BUILDERS } from '../builders.js';
import type { PageKind } from './page-text.js';

const RELEASE_NOTES =
  /(^|\/)(change-?logs?|changes|history|news|release-?notes?|releases?|what-?s-?new)(?![a-z])/i;

const LISTS = BUILDERS.filter(({ lists }) => lists !== undefined).map(({ lists = '', generator }) => ({
  generator,
  path: new RegExp(lists.trim().split(/\s+/).map(patternOf).join('|')),
}));

/** Kind of a page, by its path below the site and by the `<meta name=generator>` that it has. */
export function pageKind(path: string, generators: readonly string[]): PageKind {
  const isList = LISTS.some(
    (lists) =>
      lists.path.test(path) &&
      (lists.generator === undefined || generators.some((each) => lists.generator?.test(each))),
  );
  if (isList) return 'generated-list';
  return RELEASE_NOTES.test(path) ? 'release-notes' : 'ordinary';
}

/** `class-use/` -> below such a folder; `genindex-*` -> `genindex-A.html` or `genindex-A/index.html` */
function patternOf(name: string): string {
  const pattern = `(?:^|/)${name.replaceAll('*', '[^/]*')}`;
  return name.endsWith('/') ? pattern : `${pattern}(?:/index)?\\.html?$`;
}
