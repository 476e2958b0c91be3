import { bytesOfEntry, LruCache } from '../../../domain/lru-cache.js';
import { type Word, wordsOf } from './tokens.js';

/** Max. bytes of names of projects and their words: some 15,000 ordinary names. */
const MAX_BYTES = 10_000_000;

const kept = new LruCache<readonly Word[]>(MAX_BYTES, (words, key) =>
  bytesOfEntry(key, 200 * words.length + 2 * key.length),
);

/** The words of a project's name. They are kept: each search asks for those of all projects. */
export function wordsOfName(project: string): readonly Word[] {
  return kept.get(project) ?? kept.set(project, wordsOf(project));
}
