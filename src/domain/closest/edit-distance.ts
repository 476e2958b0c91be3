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

/** Rows of the distance table for words of at most so many characters. */
function rowsFor(length: number): readonly [Uint16Array, Uint16Array, Uint16Array] {
  const row = () => new Uint16Array(length + 1);
  return [row(), row(), row()];
}

/** Reused for each comparison. */
let rows = rowsFor(100);
