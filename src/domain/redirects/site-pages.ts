import { listIn } from '../by-key.js';
import { closestNamesInSteps, NAMES_IN_A_STEP } from '../closest-names.js';
import { isContentPage } from '../site-path.js';
import { isAscii, type PageAddress } from './page-address.js';
import { stemOf } from './redirect-rule.js';

/** Endings of files that are no pages: nobody who misses a script wants to read another page instead. */
const OTHER_FILE = /\.(?!x?html?$)[a-z][a-z\d]{1,4}$/i;

/**
 * The HTML pages of a site, by their names, and all its files by their composed names. Made once for a list of files, and then
 * asked for many missing pages. Stems are composed (NFC).
 */
export class SitePages {
  /** Paths with characters outside ASCII, by their composed form. */
  private readonly byComposed = new Map<string, string[]>();
  /** Paths by stem, components joined by `/`. */
  private readonly byStem = new Map<string, string>();
  /** Stems by their last component, in lower case. */
  private readonly byName = new Map<string, string[]>();
  /** Last components of the stems in a directory. */
  private readonly byDirectory = new Map<string, string[]>();
  /** UTF-16 code units of all paths together, and some for each path: a measure of the memory that they take. */
  weight = 0;

  /** @param path a file of the site */
  add(path: string): void {
    const composed = path.normalize('NFC');
    if (!isAscii(path)) {
      listIn(this.byComposed, composed).push(path);
      this.weight += path.length + 100;
    }
    if (!isContentPage(path)) return;
    const components = stemOf(composed);
    const name = components.at(-1);
    const stem = components.join('/');
    const isKnown = this.byStem.has(stem);
    this.byStem.set(stem, path);
    if (name === undefined || isKnown) return;
    listIn(this.byName, name.toLowerCase()).push(stem);
    listIn(this.byDirectory, components.slice(0, -1).join('/')).push(name);
    this.weight += path.length + 100;
  }

  /** Returns the paths of files, pages or not, that differ from a path by their Unicode composition only. */
  inAnyComposition(path: string): readonly string[] {
    return this.byComposed.get(path.normalize('NFC')) ?? [];
  }

  /** Returns the path of the page with this stem. */
  path(stem: string): string | undefined {
    return this.byStem.get(stem);
  }

  /** Names of all pages, in lower case, each once. */
  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  /** Returns the stems of the pages of this name, in lower case. */
  named(name: string): readonly string[] {
    return this.byName.get(name) ?? [];
  }

  /** Returns the names of the pages right below this directory. */
  in(directory: string): readonly string[] {
    return this.byDirectory.get(directory) ?? [];
  }
}

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
