import type { Position } from './find-positions.js';
import type { WeightedWord } from './found-page.js';

/** The stretch of a text that has most of a query. */
export interface Window {
  readonly from: number;
  readonly to: number;
  /** Share of the query that stands in it, 0 to 1. */
  readonly share: number;
}

/** The stretch of at most `length` characters with the largest share of the query; of equal ones, the shortest and first. */
export function bestWindow(
  words: readonly WeightedWord[],
  positions: readonly Position[],
  length: number,
): Window | undefined {
  const counts = words.map(() => 0);
  let share = 0;
  let first = 0;
  let best: Window | undefined;
  for (const { at, word } of positions) {
    if (counts[word] === 0) share += words[word]?.weight ?? 0;
    counts[word] = (counts[word] ?? 0) + 1;
    for (let left = positions[first]; left !== undefined; left = positions[first]) {
      const isTooFar = at - left.at > length;
      if (!isTooFar && (counts[left.word] ?? 0) < 2) break;
      counts[left.word] = (counts[left.word] ?? 0) - 1;
      if (counts[left.word] === 0) share -= words[left.word]?.weight ?? 0;
      first += 1;
    }
    const from = positions[first]?.at ?? at;
    const isBetter =
      best === undefined ||
      share > best.share + 1e-9 ||
      (share > best.share - 1e-9 && at - from < best.to - best.from);
    if (isBetter) best = { from, to: at, share };
  }
  return best;
}
