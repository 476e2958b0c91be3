import type { Project } from '../project.js';
import { fold, type SearchTerm } from './search-term.js';

/** Min. characters of a word that may have a typo: with one, shorter words begin nearly everything. */
const MIN_MISTYPED = 4;

/** What a search for projects looks at, folded. Lines separate the texts: no word of a term has one. */
interface Searched {
  /** Name and directory name. */
  readonly names: string;
  /** The names, the front page's title, description, tags, group and owner. */
  readonly all: string;
}

/** Cache by project: projects never change. */
const cache = new WeakMap<Project, Searched>();

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

function searchedOf(project: Project): Searched {
  let searched = cache.get(project);
  if (searched === undefined) {
    const { tags = [], group = '', owner = '' } = project.docinfo;
    const names = fold(`${project.title}\n${project.name}\n${project.directoryName}`);
    const others = [project.frontPage.title ?? '', project.summary, ...tags, group, owner];
    searched = { names, all: `${names}\n${fold(others.join('\n'))}` };
    cache.set(project, searched);
  }
  return searched;
}

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
