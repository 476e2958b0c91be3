import type { Section } from '../../formats/html/index.js';
import type { Haystack } from './haystack.js';
import { foldText } from './words/fold.js';

/** A stretch of a text, in UTF-16 code units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The sections of a page without their texts, each made when it is asked for: a search asks for a few of hundreds. */
export interface PageSections {
  /** Where the heading of each ends among all headings, with a line end after each but the last. */
  readonly headingEnds: ArrayLike<number>;
  /** The same for the texts. */
  readonly textEnds: ArrayLike<number>;
  /** Characters of all anchors, with one between two. */
  readonly ofAnchors: number;
  /** Returns the section with this index. */
  at(index: number): Omit<Section, 'text'>;
  /** Returns part of the text of the section with this index, which ends at `to` or before. */
  textOf(index: number, from: number, to: number): string;
}

/** What a page says: its headings and its texts, each as one. */
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

  static of(sections: readonly Section[]): PageContent {
    const headings = sections.map(({ heading }) => heading);
    const texts = sections.map(({ text }) => text);
    return new PageContent(foldText(headings.join('\n')), foldText(texts.join('\n')), {
      headingEnds: endsOf(headings),
      textEnds: endsOf(texts),
      ofAnchors: endsOf(sections.map(({ anchor = '' }) => anchor)).at(-1) ?? 0,
      at: (index) => sections[index] ?? { heading: '', level: 0 },
      textOf: (index, from, to) => (texts[index] ?? '').slice(from, to),
    });
  }

  /** Number of sections. */
  get count(): number {
    return this.sections.textEnds.length;
  }

  /** The section with this index. Undefined: there is none. */
  section(index: number): Omit<Section, 'text'> | undefined {
    return index < this.count ? this.sections.at(index) : undefined;
  }

  /** Where the text of a section stands in that of the page. */
  rangeOf(index: number): TextRange {
    return rangeIn(this.sections.textEnds, index);
  }

  /** The text of a section, or part of it. */
  textOf(index: number, from = 0, to = Number.POSITIVE_INFINITY): string {
    const range = this.rangeOf(index);
    return this.sections.textOf(index, from, Math.min(to, range.to - range.from));
  }

  /** Index of the section that a position is in. */
  sectionAt(position: number): number {
    return indexAt(this.sections.textEnds, position);
  }

  /** Indexes of the sections whose headings, folded, contain one of some strings, none of which is empty. */
  sectionsWith(needles: readonly string[]): number[] {
    const { headingEnds } = this.sections;
    const found = new Set<number>();
    for (const needle of needles) {
      for (let at = this.headings.indexOf(needle); at !== -1; ) {
        const index = indexAt(headingEnds, at);
        found.add(index);
        at = this.headings.indexOf(needle, (headingEnds[index] ?? this.headings.length) + 1);
      }
    }
    return [...found].sort((a, b) => a - b);
  }
}

/** Where each of some strings ends, once they are joined with a character between two. */
function endsOf(strings: readonly string[]): number[] {
  let end = -1;
  return strings.map(({ length }) => {
    end += 1 + length;
    return end;
  });
}

/** Where a string stands among joined ones, with a character between two. */
export function rangeIn(ends: ArrayLike<number>, index: number): TextRange {
  const from = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
  return { from, to: ends[index] ?? from };
}

/** Index of the string that a position is in. */
function indexAt(ends: ArrayLike<number>, position: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) >= position) high = middle;
    else low = middle + 1;
  }
  return low;
}
