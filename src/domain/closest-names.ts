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

/** Names that are looked at in one step: about a millisecond, where all are long. */
export const NAMES_IN_A_STEP = 50;

/**
 * Like `closestNames`, with pauses: yields the closest of the names that were compared until then. The last result is that of
 * all names.
 */
export function* closestNamesInSteps(
  wanted: string,
  names: readonly string[],
  max = 3,
): Generator<readonly string[], void> {
  let closest: readonly string[] = [];
  for (let from = 0; from < names.length; from += NAMES_IN_A_STEP) {
    closest = closestNames(wanted, [...closest, ...names.slice(from, from + NAMES_IN_A_STEP)], max);
    yield closest;
  }
}

/**
 * Returns the edit distance of two words (optimal string alignment: insertions, deletions, replacements, swaps of
 * neighbours); infinite when it exceeds `max`. Stops early, since tens of thousands of words may be compared.
 */
export function typosBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  if (b.length >= rows[0].length) rows = rowsFor(b.length);
  // The last three rows of the distance table.
  let [beforeLast, last, current] = rows;
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let line = 1; line <= a.length; line++) {
    const letter = a.charCodeAt(line - 1);
    current[0] = line;
    let min = line;
    for (let column = 1; column <= b.length; column++) {
      const other = b.charCodeAt(column - 1);
      let typos = last[column - 1] as number;
      if (letter !== other) {
        typos = Math.min(typos, last[column] as number, current[column - 1] as number) + 1;
        if (letter === b.charCodeAt(column - 2) && a.charCodeAt(line - 2) === other)
          typos = Math.min(typos, (beforeLast[column - 2] as number) + 1);
      }
      current[column] = typos;
      if (typos < min) min = typos;
    }
    if (min > max) return Number.POSITIVE_INFINITY;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  const typos = last[b.length] as number;
  return typos <= max ? typos : Number.POSITIVE_INFINITY;
}

/** Reused for each comparison. */
let rows = rowsFor(100);

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

/** Rows of the distance table for words of at most so many characters. */
function rowsFor(length: number): readonly [Uint16Array, Uint16Array, Uint16Array] {
  const row = () => new Uint16Array(length + 1);
  return [row(), row(), row()];
}
