import { PLACES, type Place, type QueryWord, withSynonyms } from '../../../application/search/index.js';

/** A question to FTS5, and the least telling place in which the pages that answer it have a word. */
export interface Tier {
  readonly place: Place;
  readonly expression: string;
}

/** Words that a page has to have, with the questions for them, which are the same for many revisions. */
export class RequiredWords {
  /** Pages with all words. */
  readonly tiers: readonly Tier[];
  /** The same, where longer words count for one that may be unfinished. */
  readonly tiersAsPrefix: readonly Tier[];

  constructor(readonly words: readonly QueryWord[]) {
    this.tiers = tiersOf(words, false);
    this.tiersAsPrefix = tiersOf(words, true);
  }
}

/** Pages with all words, from the most telling places to the least: each tier has the pages of the ones before. */
export function tiersOf(words: readonly QueryWord[], asPrefix: boolean): Tier[] {
  const all = words.map((word) => expressionOf(word, asPrefix && word.isPrefix)).join(' AND ');
  return PLACES.map((place, at) => {
    // Asked for all places by name, FTS5 takes twice as long.
    if (at === PLACES.length - 1) return { place, expression: all };
    return { place, expression: `{${PLACES.slice(0, at + 1).join(' ')}} : (${all})` };
  });
}

/**
 * Returns the FTS5 expression for a word or its synonyms. A token is always in quotes and has none in it, so nothing that
 * somebody typed is syntax.
 */
function expressionOf(word: QueryWord, asPrefix: boolean): string {
  const [own = '', ...others] = withSynonyms(word).map(({ token }, at) =>
    asPrefix && at === 0 ? `${quoted(token)} *` : quoted(token),
  );
  return others.length === 0 ? own : `(${[own, ...others].join(' OR ')})`;
}

function quoted(token: string): string {
  return `"${token.replaceAll('"', '')}"`;
}
