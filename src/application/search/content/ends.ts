/** A stretch of a text, in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Where each of some texts ends, once they are joined with a character between two. */
export class Ends {
  private readonly ends: Uint32Array;

  /** @param lengths of the texts, in their order */
  constructor(lengths: ArrayLike<number>) {
    this.ends = new Uint32Array(lengths.length);
    let end = -1;
    for (let index = 0; index < lengths.length; index += 1) {
      end += 1 + (lengths[index] ?? 0);
      this.ends[index] = end;
    }
  }

  static of(texts: readonly string[]): Ends {
    return new Ends(texts.map(({ length }) => length));
  }

  /** Number of texts. */
  get count(): number {
    return this.ends.length;
  }

  /** Length of the whole. */
  get last(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** Where a text stands. */
  rangeOf(index: number): TextRange {
    const from = index === 0 ? 0 : (this.ends[index - 1] ?? 0) + 1;
    return { from, to: this.ends[index] ?? from };
  }

  /** Index of the text that a position is in, or that ends there. */
  indexAt(position: number): number {
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ends[middle] ?? 0) >= position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
