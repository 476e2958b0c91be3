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
export class ProjectNames implements WordSource {
  private readonly tokens = new Set<string>();
  private readonly spellings = new Set<string>();

  constructor(live: readonly LiveRevision[]) {
    for (const { project } of live) {
      for (const { folded, tokens } of wordsOfName(project)) {
        this.spellings.add(folded);
        for (const token of tokens) this.tokens.add(token);
      }
    }
  }

  pagesWith(token: string): number {
    return this.tokens.has(token) ? 1 : 0;
  }

  hasPrefix(token: string): boolean {
    return [...this.tokens].some((each) => each.startsWith(token));
  }

  spellingsNear(length: number): string[] {
    return [...this.spellings].filter((each) => each.length === length);
  }
}
