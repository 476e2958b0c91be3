import type { WeightedWord } from './found-page.js';
import type { QueryWord } from './parse-query.js';
import { wordsOf } from './words/tokens.js';

/** How common a word is among the pages that are searched. */
export interface KnownWord extends QueryWord {
  /** Pages that have the word or a synonym, in all revisions together. */
  readonly pages: number;
}

/** Weight of a word that all pages of a project are about, compared with elsewhere. */
const SHARE_OF_PROJECT = 0.25;
/** Least weight of a word compared with the rarest one of its group: the `of` of `List.of` was typed on purpose. */
const SHARE_IN_GROUP = 0.5;

/** The words with weights for the pages of one project: rare words weigh more, and the weights add up to 1. */
export function weighWords(words: readonly KnownWord[], allPages: number, project: string): WeightedWord[] {
  const ofProject = new Set(wordsOf(project).flatMap(({ tokens }) => tokens));
  const isOfProject = (word: QueryWord) => ofProject.has(word.token);
  // A query of nothing but the name of the project is about its pages.
  const namesProject = words.some(isOfProject) && !words.every(isOfProject);
  const rarities = words.map((word) => {
    const rarity = rarityOf(word, allPages);
    return namesProject && isOfProject(word) ? rarity * SHARE_OF_PROJECT : rarity;
  });
  const leveled = rarities.map((rarity, at) => {
    const { group } = words[at] as KnownWord;
    const rarest = Math.max(...rarities.filter((_, other) => words[other]?.group === group));
    return Math.max(rarity, SHARE_IN_GROUP * rarest);
  });
  const sum = leveled.reduce((total, each) => total + each, 0);
  return words.map((word, at) => ({
    ...word,
    weight: (leveled[at] ?? 0) / sum,
    isOfProject: namesProject && isOfProject(word),
  }));
}

function rarityOf({ pages }: KnownWord, allPages: number): number {
  const without = Math.max(0, allPages - pages);
  return Math.log(1 + (without + 0.5) / (pages + 0.5)) + 0.1;
}
