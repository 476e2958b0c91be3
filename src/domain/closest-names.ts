/** Longer names are cut before they are compared: the cost grows with the product of both lengths. */
const MOST_COMPARED = 100;
/** Max. edits between names that are taken for each other, however long they are: each costs a look at every letter. */
const MAX_EDITS = 6;

interface Ranked {
  readonly name: string;
  /** Lower is closer. */
  readonly rank: number;
}

/**
 * The names that someone may have meant, the likeliest first: those that differ by a few letters, and those that
 * contain what was written or are contained in it.
 */
export function closestNames(wanted: string, names: Iterable<string>, most = 3): readonly string[] {
  const target = plain(wanted);
  if (target === '') return [];
  const comparison = new Comparison(target);
  let closest: Ranked[] = [];
  // Once there are enough, only what is as close as the last of them is worth a look.
  let bound = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const rank = comparison.rankOf(plain(name), bound);
    if (rank === undefined || rank > bound) continue;
    closest = [...closest, { name, rank }].sort(byRank).slice(0, most);
    if (closest.length === most) bound = closest.at(-1)?.rank ?? bound;
  }
  return closest.map(({ name }) => name);
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || (a.name < b.name ? -1 : 1);
}

/** `My_Project` and `my-project` are the same word to whoever types them. */
function plain(name: string): string {
  if (name.length <= MOST_COMPARED && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return name;
  return name
    .slice(0, MOST_COMPARED)
    .toLowerCase()
    .replace(/[._-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Compares one name with many: a server may have tens of thousands, and a robot may ask for as many that are not there. */
class Comparison {
  private readonly letters: Letters;
  private readonly rows = [row(), row(), row()] as const;

  constructor(private readonly wanted: string) {
    this.letters = new Letters(wanted);
  }

  /** Undefined when the two have nothing to do with each other, or are further from each other than `bound`. */
  rankOf(name: string, bound: number): number | undefined {
    const { wanted } = this;
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 3));
    const edits = this.edits(name, Math.floor(Math.min(allowed, MAX_EDITS, bound)));
    if (edits !== undefined) return edits;
    const [short, long] = wanted.length < name.length ? [wanted, name] : [name, wanted];
    if (short.length >= 3 && long.includes(short)) return allowed + 1 + (long.length - short.length) / 1000;
    return undefined;
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours that lead from one to the other (optimal string
   * alignment); undefined when they are more than `most`, and gives up as soon as that is certain.
   */
  private edits(name: string, most: number): number | undefined {
    const { wanted } = this;
    if (this.letters.differIn(name) > most) return undefined;
    let [beforeLast, last, current] = this.rows;
    for (let column = 0; column <= name.length; column++) last[column] = column;
    for (let line = 1; line <= wanted.length; line++) {
      const letter = wanted.charCodeAt(line - 1);
      // Further from the diagonal than `most`, everything costs more than that.
      const from = Math.max(1, line - most);
      const to = Math.min(name.length, line + most);
      current[from - 1] = from === 1 ? line : MUCH;
      let least = line;
      for (let column = from; column <= to; column++) {
        const other = name.charCodeAt(column - 1);
        const above = column === line + most ? MUCH : (last[column] as number);
        let cost = Math.min(above, current[column - 1] as number) + 1;
        cost = Math.min(cost, (last[column - 1] as number) + (letter === other ? 0 : 1));
        const isSwap =
          line > 1 &&
          column > 1 &&
          letter === name.charCodeAt(column - 2) &&
          wanted.charCodeAt(line - 2) === other;
        if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
        current[column] = cost;
        if (cost < least) least = cost;
      }
      if (least > most) return undefined;
      [beforeLast, last, current] = [last, current, beforeLast];
    }
    const edits = last[name.length] as number;
    return edits <= most ? edits : undefined;
  }
}

/** More edits than any two names need. */
const MUCH = 2 * MOST_COMPARED;
const row = () => new Uint8Array(MOST_COMPARED + 2);

/** How often a name has each letter; letters with the same last bits count as the same one. */
class Letters {
  private readonly counts = new Int8Array(64);

  constructor(private readonly name: string) {
    for (let i = 0; i < name.length; i++) this.add(name.charCodeAt(i), 1);
  }

  /** Letters that one of the two has too many of: there are at least as many edits between them. */
  differIn(other: string): number {
    let additional = 0;
    for (let i = 0; i < other.length; i++) {
      if (this.add(other.charCodeAt(i), -1) < 0) additional += 1;
    }
    for (let i = 0; i < other.length; i++) this.add(other.charCodeAt(i), 1);
    const missing = this.name.length - (other.length - additional);
    return Math.max(additional, missing);
  }

  private add(letter: number, times: number): number {
    const slot = letter & 63;
    this.counts[slot] = (this.counts[slot] as number) + times;
    return this.counts[slot] as number;
  }
}
