import { onceForEach } from './by-key.js';
import type { Project } from './project.js';
import { fold, type SearchTerm } from './search-term.js';

/** Min. characters of a word that may have a typo: with one, shorter words begin nearly everything. */
const MIN_MISTYPED = 4;
/** Collator, made on first use: it takes 6 ms, which a start need not wait for. */
let collator: Intl.Collator | undefined;

/** The projects of a group, of a tag and of an owner, as far as they are given, whatever the case; or those in no group. */
export interface ProjectFilter {
  readonly group?: string | undefined;
  readonly ungrouped?: true | undefined;
  readonly tag?: string | undefined;
  readonly owner?: string | undefined;
}

/** Returns whether a filter leaves anything out. */
export function isFiltering({ group, ungrouped, tag, owner }: ProjectFilter): boolean {
  return [group, ungrouped, tag, owner].some((each) => each !== undefined);
}

/** A group or a tag as the first project writes it, and the number of projects that have it. */
export interface Facet {
  readonly name: string;
  readonly projects: number;
}

export function filterProjects(
  projects: readonly Project[],
  { group, ungrouped, tag, owner }: ProjectFilter,
): readonly Project[] {
  const filters = (
    [
      [group, 'group'],
      [tag, 'tags'],
      [owner, 'owner'],
    ] as const
  ).flatMap(([wanted, field]) => (wanted === undefined ? [] : [{ field, wanted: fold(wanted) }]));
  return projects.filter(
    ({ docinfo }) =>
      (ungrouped === undefined || docinfo.group === undefined) &&
      filters.every(({ field, wanted }) =>
        [docinfo[field] ?? ''].flat().some((each) => fold(each) === wanted),
      ),
  );
}

/** Returns the groups of projects, by name. */
export function groupsOf(projects: readonly Project[]): readonly Facet[] {
  return facetsIn(projects.flatMap(({ docinfo: { group } }) => group ?? []));
}

/** Returns the tags of projects, by name. */
export function tagsOf(projects: readonly Project[]): readonly Facet[] {
  return facetsIn(projects.flatMap(({ docinfo: { tags } }) => tags ?? []));
}

/** A group and its projects; without a name: the projects without a group. */
export interface Group {
  readonly name: string | undefined;
  readonly projects: readonly Project[];
}

/** Splits projects in the order `group` into their groups. */
export function inGroups(projects: readonly Project[]): readonly Group[] {
  const groups = new Map<string, Group & { readonly projects: Project[] }>();
  for (const project of projects) {
    const name = project.docinfo.group;
    const group = groups.get(fold(name ?? '')) ?? { name, projects: [] };
    groups.set(fold(name ?? ''), group);
    group.projects.push(project);
  }
  return [...groups.values()];
}

/** Texts that a search for projects looks at, folded. Lines separate them: no word of a term has one. */
interface Searched {
  /** Name and directory name. */
  readonly names: string;
  /** The names, the front page's title, description, tags, group and owner. */
  readonly all: string;
}

/**
 * Returns the projects that have every word of the term in their names, front page's title, description, tags, group or owner, in any order;
 * those with all words in their names come first. When there are none, each word of at least four characters may have
 * one typo: a letter too many, too few, wrong, or swapped with its neighbour.
 */
export function findProjects(projects: readonly Project[], { words }: SearchTerm): readonly Project[] {
  const has = (text: string) => words.every((word) => text.includes(word));
  const inNames: Project[] = [];
  const elsewhere: Project[] = [];
  for (const project of projects) {
    const { names, all } = searchedOf(project);
    if (has(names)) inNames.push(project);
    else if (has(all)) elsewhere.push(project);
  }
  if (inNames.length + elsewhere.length > 0) return [...inNames, ...elsewhere];
  return projects.filter((project) => {
    const { all } = searchedOf(project);
    return words.every((word) => all.includes(word) || hasAlmost(all, word));
  });
}

/** Sort orders of a list of projects; `group`: by group, projects without one last. */
export const PROJECT_ORDERS = ['group', 'name', 'newest'] as const;

export type ProjectOrder = (typeof PROJECT_ORDERS)[number];

/** Compares names as people sort them: whatever the case, and numbers by their value. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

/** Sorts projects by group, by display name, or by the publication of the latest version, newest first. */
export function inOrder(projects: readonly Project[], order: ProjectOrder): readonly Project[] {
  return projects.toSorted(
    (a, b) =>
      (order === 'newest'
        ? b.latest.record.publishedAt.getTime() - a.latest.record.publishedAt.getTime()
        : 0) ||
      (order === 'group' ? compareGroups(a.docinfo.group, b.docinfo.group) : 0) ||
      compareNames(a.title, b.title) ||
      (a.directoryName < b.directoryName ? -1 : 1),
  );
}

function facetsIn(names: readonly string[]): readonly Facet[] {
  const facets = new Map<string, Facet>();
  for (const each of names) {
    const { name, projects } = facets.get(fold(each)) ?? { name: each, projects: 0 };
    facets.set(fold(each), { name, projects: projects + 1 });
  }
  return [...facets.values()].sort((a, b) => compareNames(a.name, b.name));
}

const searchedOf = onceForEach((project: Project): Searched => {
  const { tags = [], group = '', owner = '' } = project.docinfo;
  const names = fold(`${project.title}\n${project.name}\n${project.directoryName}`);
  const others = [project.ownTitle, project.summary, ...tags, group, owner];
  return { names, all: `${names}\n${fold(others.join('\n'))}` };
});

/** Returns whether any word of the text begins with `word`, but for one typo. */
function hasAlmost(text: string, word: string): boolean {
  if (word.length < MIN_MISTYPED) return false;
  for (const { index } of text.matchAll(/[\p{L}\p{N}]+/gu)) if (beginsAlmost(text, index, word)) return true;
  return false;
}

/** Returns whether the text has `word` at an index, but for one typo. */
function beginsAlmost(text: string, start: number, word: string): boolean {
  let same = 0;
  while (same < word.length && text[start + same] === word[same]) same += 1;
  const at = start + same;
  const isSwapped = text[at] === word[same + 1] && text[at + 1] === word[same];
  return (
    text.startsWith(word.slice(same + 1), at + 1) ||
    text.startsWith(word.slice(same), at + 1) ||
    text.startsWith(word.slice(same + 1), at) ||
    (isSwapped && text.startsWith(word.slice(same + 2), at + 2))
  );
}

function compareGroups(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return compareNames(fold(a), fold(b));
}
