import type { Section } from '../../../formats/html/index.js';
import { foldText } from '../words/fold.js';
import { Ends, type TextRange } from './ends.js';
import type { Haystack } from './haystack.js';

/** The sections of a page without their texts, each made when it is asked for: a search asks for a few of hundreds. */
export interface PageSections {
  /** Of the headings among those of the page. */
  readonly headings: Ends;
  /** Of the texts among those of the page. */
  readonly texts: Ends;
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
      headings: Ends.of(headings),
      texts: Ends.of(texts),
      ofAnchors: Ends.of(sections.map(({ anchor = '' }) => anchor)).last,
      at: (index) => sections[index] ?? { heading: '', level: 0 },
      textOf: (index, from, to) => (texts[index] ?? '').slice(from, to),
    });
  }

  /** Number of sections. */
  get count(): number {
    return this.sections.texts.count;
  }

  /** The section with this index. Undefined: there is none. */
  section(index: number): Omit<Section, 'text'> | undefined {
    return index < this.count ? this.sections.at(index) : undefined;
  }

  /** Where the text of a section stands in that of the page. */
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
