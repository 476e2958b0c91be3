import { closestNamesInSteps, NAMES_IN_A_STEP } from '../closest/closest-in-steps.js';
import type { PageAddress } from './page-address.js';
import type { SitePages } from './site-pages.js';

/** Endings of files that are no pages: nobody who misses a script wants to read another page instead. */
const OTHER_FILE = /\.(?!x?html?$)[a-z][a-z\d]{1,4}$/i;

/**
 * Yields the paths of the pages that somebody may have meant, best first, as far as they are known after each step: files, pages
 * or not, whose names differ by Unicode composition only; pages of the same name in other directories, then those of a similar
 * name in the same directory; without any, those of a similar name anywhere. A step takes about a millisecond at most, however many pages there are.
 */
export function* closestPages(
  wanted: PageAddress,
  pages: SitePages,
  max = 3,
): Generator<readonly string[], void> {
  const composed = wanted.files.flatMap((file) => pages.inAnyComposition(file.toString())).slice(0, max);
  if (composed.length > 0) yield composed;
  const components = wanted.stem.components.map((each) => each.normalize('NFC'));
  const name = components.at(-1);
  if (name === undefined || OTHER_FILE.test(name)) return;
  const pathsOf = (stems: readonly string[]) => {
    const paths = stems.flatMap((stem) => pages.path(stem) ?? []);
    return [...new Set([...composed, ...paths])].slice(0, max);
  };
  let found: readonly string[] = [];
  for (found of nearestInSteps(pages.named(name.toLowerCase()), components, max)) yield pathsOf(found);
  const ofSameName = found;
  const above = components.slice(0, -1);
  for (const names of closestNamesInSteps(name, pages.in(above.join('/')), max)) {
    const beside = names.map((each) => [...above, each].join('/'));
    found = [...new Set([...ofSameName, ...beside])].slice(0, max);
    yield pathsOf(found);
  }
  if (found.length > 0 || composed.length > 0) return;
  let anywhere: readonly string[] = [];
  for (anywhere of closestNamesInSteps(name, pages.names, max)) yield [];
  for (const each of anywhere) {
    const before: readonly string[] = found;
    for (const stems of nearestInSteps(pages.named(each), components, max)) {
      found = [...before, ...stems].slice(0, max);
      yield pathsOf(found);
    }
  }
}

/** Yields the stems that begin with most components of a path, as far as they are known after each step. */
function* nearestInSteps(
  stems: readonly string[],
  components: readonly string[],
  max: number,
): Generator<readonly string[], void> {
  let nearest: readonly { readonly stem: string; readonly shared: number }[] = [];
  for (let from = 0; from < stems.length; from += NAMES_IN_A_STEP) {
    const next = stems
      .slice(from, from + NAMES_IN_A_STEP)
      .map((stem) => ({ stem, shared: sharedStart(stem, components) }));
    nearest = [...nearest, ...next]
      .sort((a, b) => b.shared - a.shared || a.stem.length - b.stem.length)
      .slice(0, max);
    yield nearest.map(({ stem }) => stem);
  }
}

/** Number of components that a path begins with like another one. */
function sharedStart(stem: string, components: readonly string[]): number {
  const own = stem.split('/');
  const differing = components.findIndex((component, index) => own[index] !== component);
  return differing === -1 ? components.length : differing;
}
