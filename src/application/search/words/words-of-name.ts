import { RecentlyUsed } from '../../../domain/recently-used.js';
import { type Word, wordsOf } from './tokens.js';

/** Max. names of projects whose words are kept. */
const MAX_NAMES = 10_000;

const kept = new RecentlyUsed<readonly Word[]>(MAX_NAMES);

/** The words of a project's name. They are kept: each search asks for those of all projects. */
export function wordsOfName(project: string): readonly Word[] {
  return kept.get(project) ?? kept.set(project, wordsOf(project));
}
