/** Longer names are cut before they are compared: the cost grows with the product of both lengths. */
const MOST_COMPARED = 100;

/**
 * The names that someone may have meant, the likeliest first: those that differ by a few letters, and those that
 * contain what was written or are contained in it.
 */
export function closestNames(wanted: string, names: Iterable<string>, most = 3): readonly string[] {
  const target = plain(wanted);
  if (target === '') return [];
  const ranked: { readonly name: string; readonly rank: number }[] = [];
  for (const name of names) {
    const rank = rankOf(target, plain(name));
    if (rank !== undefined) ranked.push({ name, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Lower is closer; undefined when the two have nothing to do with each other. */
function rankOf(wanted: string, name: string): number | undefined {
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
  const edits = distance(wanted, name, allowed);
  if (edits !== undefined) return edits;
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (short.length >= 3 && long.includes(short)) return allowed + 1 + (long.length - short.length) / 1000;
  return undefined;
}

/** `My_Project` and `my-project` are the same word to whoever types them. */
function plain(name: string): string {
  return name
    .slice(0, MOST_COMPARED)
    .toLowerCase()
    .replace(/[._-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b` (optimal string alignment);
 * undefined when they are more than `most`. Gives up as soon as that is certain: a server may have many names.
 */
function distance(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    // Further from the diagonal than `most`, everything costs more than that.
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    let least = row;
    for (let column = 1; column < from; column++) current.push(Number.POSITIVE_INFINITY);
    for (let column = from; column <= to; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(at(last, column), at(current, column - 1)) + 1;
      cost = Math.min(cost, at(last, column - 1) + (same ? 0 : 1));
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return undefined;
    beforeLast = last;
    last = current;
  }
  const edits = at(last, b.length);
  return edits <= most ? edits : undefined;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
