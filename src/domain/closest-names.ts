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

/**
 * Returns the edit distance of two names (optimal string alignment: insertions, deletions, replacements, swaps of
 * neighbours); infinite when it exceeds `max`. Stops early, since a server may have tens of thousands of names.
 */
function typosBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Number.POSITIVE_INFINITY;
  // The last three rows of the distance table.
  let [beforeLast, last, current] = ROWS;
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

/** Rows of the distance table, reused for each name. */
const row = () => new Uint8Array(MAX_COMPARED + 1);
const ROWS = [row(), row(), row()] as const;
