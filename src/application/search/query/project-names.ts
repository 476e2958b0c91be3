import { bytesOfEntry, LruCache } from '../../../domain/lru-cache.js';
import type { LiveRevision } from '../../ports/search-index.js';
import { type Word, wordsOf } from '../words/tokens.js';
import type { WordSource } from './resolve-words.js';

/** Max. bytes of names of projects and their words: some 15,000 ordinary names. */
const MAX_BYTES = 10_000_000;
const kept = new LruCache<readonly Word[]>(MAX_BYTES, (words, key) =>
  bytesOfEntry(key, 200 * words.length + 2 * key.length),
);

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

/** The words of a project's name. They are kept: each search asks for those of all projects. */
export function wordsOfName(project: string): readonly Word[] {
  return kept.get(project) ?? kept.set(project, wordsOf(project));
}
