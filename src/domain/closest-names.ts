/** Max. letters of a name that are compared: the cost grows with the product of both lengths. */
const MAX_COMPARED = 100;
/** Max. typos between names that are taken for each other, however long they are. */
const MAX_TYPOS = 6;

interface Ranked {
  readonly name: string;
  /** Lower is closer. */
  readonly rank: number;
}

/**
 * The names that someone may have meant, the likeliest first: those that differ by a few letters, and those that
 * contain what was written or are contained in it.
 */
export function closestNames(wanted: string, names: Iterable<string>, max = 3): readonly string[] {
  const target = plain(wanted);
  if (target === '') return [];
  let closest: readonly Ranked[] = [];
  for (const name of names) {
    // Once there are enough, only what is as close as the last of them is worth a look.
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

/** `My_Project` and `my-project` are the same word to whoever types them. */
function plain(name: string): string {
  return name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replace(/[._-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Infinite when the two have nothing to do with each other, or are further from each other than `bound`. */
function rankOf(wanted: string, name: string, bound: number): number {
  const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
  const typos = typosBetween(wanted, name, Math.min(allowed, MAX_TYPOS, bound));
  if (typos < Number.POSITIVE_INFINITY) return typos;
  const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
  if (short.length < 3 || !long.includes(short)) return Number.POSITIVE_INFINITY;
  return allowed + 1 + (long.length - short.length) / 1000;
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that lead from one name to the other (optimal string
 * alignment); infinite when they are more than `max`, which is known early: a server has tens of thousands of names.
 */
function typosBetween(wanted: string, name: string, max: number): number {
  if (Math.abs(wanted.length - name.length) > max || lettersMissing(wanted, name) > max)
    return Number.POSITIVE_INFINITY;
  // What both begin and end with takes no typo, and families of names have most of their letters there.
  let start = 0;
  while (start < wanted.length && wanted[start] === name[start]) start++;
  let [endA, endB] = [wanted.length, name.length];
  while (endA > start && endB > start && wanted[endA - 1] === name[endB - 1])
    [endA, endB] = [endA - 1, endB - 1];
  const [a, b] = [wanted.slice(start, endA), name.slice(start, endB)];
  let [beforeLast, last, current] = ROWS;
  for (let column = 0; column <= b.length; column++) last[column] = column;
  for (let line = 1; line <= a.length; line++) {
    const letter = a.charCodeAt(line - 1);
    current[0] = line;
    let least = line;
    for (let column = 1; column <= b.length; column++) {
      const other = b.charCodeAt(column - 1);
      let typos = last[column - 1] as number;
      if (letter !== other) {
        typos = Math.min(typos, last[column] as number, current[column - 1] as number) + 1;
        if (letter === b.charCodeAt(column - 2) && a.charCodeAt(line - 2) === other)
          typos = Math.min(typos, (beforeLast[column - 2] as number) + 1);
      }
      current[column] = typos;
      if (typos < least) least = typos;
    }
    if (least > max) return Number.POSITIVE_INFINITY;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  const typos = last[b.length] as number;
  return typos <= max ? typos : Number.POSITIVE_INFINITY;
}

/** The last three rows of the table, used again for each name. */
const row = () => new Uint8Array(MAX_COMPARED + 1);
const ROWS = [row(), row(), row()] as const;

/** Kinds of letters that one of two names lacks: each takes a typo. To know that is far cheaper than to compare. */
function lettersMissing(a: string, b: string): number {
  const [left, right] = [lettersOf(a), lettersOf(b)];
  return Math.max(ones(left & ~right), ones(right & ~left));
}

/** A bit for each letter in the name; some letters share one. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let i = 0; i < name.length; i++) letters |= 1 << (name.charCodeAt(i) & 31);
  return letters;
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
