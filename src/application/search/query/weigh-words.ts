import type { WeightedWord } from '../found-page.js';
import { RANKING as R } from '../ranking-weights.js';
import type { QueryWord } from './parse-query.js';
import { wordsOfName } from './project-names.js';
import type { KnownWord } from './resolve-words.js';

/** The words with weights for the pages of one project: rare words weigh more, and the weights add up to 1. */
export function weighWords(words: readonly KnownWord[], allPages: number, project: string): WeightedWord[] {
  const ofProject = wordsOfProject(words, project);
  const rarities = words.map((word) => rarityOf(word, allPages) * (ofProject.has(word) ? R.ofProject : 1));
  const leveled = rarities.map((rarity, at) => {
    const { group } = words[at] as KnownWord;
    const rarest = Math.max(...rarities.filter((_, other) => words[other]?.group === group));
    return Math.max(rarity, R.inGroup * rarest);
  });
  const sum = leveled.reduce((total, each) => total + each, 0);
  return words.map((word, at) => ({
    ...word,
    weight: (leveled[at] ?? 0) / sum,
    isOfProject: ofProject.has(word),
  }));
}

/** The words that the name of a project has, so that its pages need not. None if it has all: it is about its pages then. */
export function wordsOfProject(words: readonly QueryWord[], project: string): ReadonlySet<QueryWord> {
  const ofName = wordsOfName(project);
  const named = words.filter(({ token }) => ofName.some(({ tokens }) => tokens.includes(token)));
  return new Set(named.length === words.length ? [] : named);
}

function rarityOf({ pages }: KnownWord, allPages: number): number {
  const without = Math.max(0, allPages - pages);
  return Math.log(1 + (without + 0.5) / (pages + 0.5)) + 0.1;
}
