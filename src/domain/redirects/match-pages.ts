import { isContentPage } from '../site-path.js';
import { stemOf } from './redirect-rule.js';

/** A page that two versions have. The path may be spelled in two ways: `guide.html`, and `guide/index.html`. */
export interface CommonPage {
  readonly before: string;
  readonly after: string;
}

/** The pages of two versions, each list sorted by path. */
export interface MatchedPages {
  readonly common: readonly CommonPage[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Whether a file is a page that is compared: not the one for missing pages. */
export function isComparedPage(path: string): boolean {
  return isContentPage(path) && !/(?:^|\/)\./.test(path);
}

/** Matches the pages of two versions: by their paths, then by their names in any spelling of site builders. */
export function matchPages(before: Iterable<string>, after: Iterable<string>): MatchedPages {
  const old = new Set([...before].filter(isComparedPage));
  const now = new Set([...after].filter(isComparedPage));
  const common = [...now].filter((path) => old.has(path)).map((path) => ({ before: path, after: path }));
  const left = byName([...old].filter((path) => !now.has(path)));
  const added: string[] = [];
  for (const [name, path] of byName([...now].filter((each) => !old.has(each)))) {
    const match = left.get(name);
    left.delete(name);
    if (match === undefined) added.push(path);
    else common.push({ before: match, after: path });
  }
  return {
    common: common.sort((a, b) => (a.after < b.after ? -1 : 1)),
    removed: [...left.values()].sort(),
    added: added.sort(),
  };
}

/**
 * Returns for each removed page the added one that it has become: one of the same text, else the only one whose name ends
 * alike, in another directory.
 * @param textOf the hash of a page's text; undefined or empty when it is not known
 */
export function movedPages(
  { removed, added }: Pick<MatchedPages, 'removed' | 'added'>,
  textOf: {
    readonly before: (path: string) => string | undefined;
    readonly after: (path: string) => string | undefined;
  },
): ReadonlyMap<string, string> {
  const byText = onlyOnes(added, (path) => textOf.after(path) || undefined);
  const byLastName = onlyOnes(added, lastNameOf);
  const moved = new Map<string, string>();
  for (const path of removed) {
    const target = byText.get(textOf.before(path) || '') ?? byLastName.get(lastNameOf(path) ?? '');
    if (target !== undefined) moved.set(path, target);
  }
  return moved;
}

function byName(paths: readonly string[]): Map<string, string> {
  const pages = new Map<string, string>();
  for (const path of paths) {
    const name = stemOf(path).join('/');
    // `guide.html` beside `guide/index.html`: the second one has a name of its own.
    pages.set(pages.has(name) ? path : name, path);
  }
  return pages;
}

/** The last part of a page's name; undefined for front pages, which are called alike everywhere. */
function lastNameOf(path: string): string | undefined {
  return path.endsWith('index.html') ? undefined : stemOf(path).at(-1);
}

/** Paths by a key that no other path has. */
function onlyOnes(
  paths: readonly string[],
  keyOf: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const path of paths) {
    const key = keyOf(path);
    if (key === undefined) continue;
    if (found.has(key)) several.add(key);
    found.set(key, path);
  }
  for (const key of several) found.delete(key);
  return found;
}
