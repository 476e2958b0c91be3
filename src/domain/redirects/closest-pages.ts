import { closestNames } from '../closest-names.js';
import { isHtmlPage } from '../site-path.js';
import type { PageAddress } from './page-address.js';
import { stemOf } from './redirect-rule.js';

/** Endings of files that are no pages: nobody who misses a script wants to read another page instead. */
const OTHER_FILE = /\.(?!html?$)[a-z][a-z\d]{1,4}$/i;

/** Max. paths that are compared letter by letter: some microseconds each. */
const MAX_COMPARED = 2_000;

/**
 * Returns the pages that somebody may have meant, best first: those of the same name in other directories, then those
 * whose path is similar, of the same directory if it has pages.
 * @param paths files of the site; only HTML pages count
 */
export function closestPages(wanted: PageAddress, paths: Iterable<string>, max = 3): readonly string[] {
  const components = wanted.stem.components;
  const name = components.at(-1)?.toLowerCase();
  if (name === undefined || OTHER_FILE.test(name)) return [];
  const byStem = new Map<string, string>();
  for (const path of paths) {
    if (isHtmlPage(path) && path !== '404.html') byStem.set(stemOf(path).join('/'), path);
  }
  const ofSameName = [...byStem.keys()]
    .filter((stem) => stem.slice(stem.lastIndexOf('/') + 1).toLowerCase() === name)
    .sort((a, b) => sharedStart(b, components) - sharedStart(a, components) || a.length - b.length);
  const directory = [...components.slice(0, -1), ''].join('/');
  const beside = [...byStem.keys()].filter((stem) => stem.startsWith(directory));
  const compared = (beside.length > 0 ? beside : [...byStem.keys()]).slice(0, MAX_COMPARED);
  const similar = closestNames(components.join('/'), compared, max);
  const stems = new Set([...ofSameName.slice(0, max), ...similar]);
  return [...stems].slice(0, max).flatMap((stem) => byStem.get(stem) ?? []);
}

/** Number of components that a path begins with like another one. */
function sharedStart(stem: string, components: readonly string[]): number {
  const own = stem.split('/');
  const differing = components.findIndex((component, index) => own[index] !== component);
  return differing === -1 ? components.length : differing;
}
