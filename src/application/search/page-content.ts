import type { Section } from '../../formats/html/index.js';

/** The sections of a page without their texts, each made when it is asked for: a search asks for a few of hundreds. */
interface PageSections {
  /** Ends of the headings in the text of all headings. */
  readonly headings: Ends;
  /** Ends of the sections' texts in the text of the page. */
  readonly texts: Ends;
  /** Characters of all anchors, with one between two. */
  readonly ofAnchors: number;
  /** Returns the section with this index. */
  at(index: number): Omit<Section, 'text'>;
  /** Returns part of the text of the section with this index, which ends at `to` or before. */
  textOf(index: number, from: number, to: number): string;
}

/** Content of a page: all headings as one text, and all texts as one. */
export class PageContent {
  /** Characters of texts, headings and anchors. */
  readonly size: number;

  constructor(
    /** The headings of all sections, folded, with a line end between two. */
    readonly headings: Haystack,
    /** The texts of all sections, folded, with a line end between two. */
    readonly folded: Haystack,
    private readonly sections: PageSections,
  ) {
    this.size = folded.length + headings.length + sections.ofAnchors;
  }

  /** Number of sections. */
  get count(): number {
    return this.sections.texts.count;
  }

  /** The section with this index. Undefined: there is none. */
  section(index: number): Omit<Section, 'text'> | undefined {
    return index < this.count ? this.sections.at(index) : undefined;
  }

  /** Range of a section's text in the text of the page. */
  rangeOf(index: number): TextRange {
    return this.sections.texts.rangeOf(index);
  }

  /** The text of a section, or part of it. */
  textOf(index: number, from = 0, to = Number.POSITIVE_INFINITY): string {
    const range = this.rangeOf(index);
    return this.sections.textOf(index, from, Math.min(to, range.to - range.from));
  }

  /** Index of the section that a position is in. */
  sectionAt(position: number): number {
    return this.sections.texts.indexAt(position);
  }

  /** Indexes of the sections whose headings, folded, contain one of some strings, none of which is empty. */
  sectionsWith(needles: readonly string[]): number[] {
    const { headings } = this.sections;
    const found = new Set<number>();
    for (const needle of needles) {
      for (let at = this.headings.indexOf(needle); at !== -1; ) {
        const index = headings.indexAt(at);
        found.add(index);
        at = this.headings.indexOf(needle, headings.rangeOf(index).to + 1);
      }
    }
    return [...found].sort((a, b) => a - b);
  }
}

/** A stretch of a text, in UTF-16 code units. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** End offset of each of some texts that are joined with a character between two. */
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

  /** Number of texts. */
  get count(): number {
    return this.ends.length;
  }

  /** Length of the whole. */
  get last(): number {
    return this.ends.at(-1) ?? 0;
  }

  /** Returns the range of a text. */
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

/** A text that is looked through: a string, or something that reads like one. */
export type Haystack = Pick<string, 'length' | 'indexOf' | 'charCodeAt' | 'slice'>;
