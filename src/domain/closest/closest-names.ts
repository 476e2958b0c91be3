import { typosBetween } from './edit-distance.js';

/** Max. characters of a name that are compared: the cost is the product of both lengths. */
const MAX_COMPARED = 100;
/** Max. typos between a name and a suggestion, for names of any length. */
const MAX_TYPOS = 6;

interface Ranked {
  readonly name: string;
  /** Lower is closer. */
  readonly rank: number;
}

/**
 * Returns names similar to `wanted`, best match first: those that differ by a few characters, and those that
 * contain `wanted` or are contained in it.
 */
export function closestNames(wanted: string, names: Iterable<string>, max = 3): readonly string[] {
  const target = plain(wanted);
  if (target === '') return [];
  let closest: readonly Ranked[] = [];
  for (const name of names) {
    // Once there are `max` names, only those at least as close as the last of them count.
    const bound = closest[max - 1]?.rank ?? Number.POSITIVE_INFINITY;
    const rank = rankOf(target, plain(name), bound);
    if (rank <= bound && rank < Number.POSITIVE_INFINITY)
      closest = [...closest, { name, rank }].sort(byRank).slice(0, max);
  }
  return closest.map(({ name }) => name);
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || (a.name < b.name ? -1 : 1);
}

/** Normalizes case and separators: `My_Project` becomes `my-project`. */
function plain(name: string): string {
  return name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replace(/[._-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Returns the distance of two names; infinite when they are unrelated or further apart than `bound`. */
function rankOf(wanted: string, name: string, bound: number): number {
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
  const typos = typosBetween(wanted, name, Math.min(allowed, MAX_TYPOS, bound));
  if (typos < Number.POSITIVE_INFINITY) return typos;
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (short.length < 3 || !long.includes(short)) return Number.POSITIVE_INFINITY;
  return allowed + 1 + (long.length - short.length) / 1000;
}
