import type { Section } from '../../formats/html/index.js';
import { foldText } from './words/fold.js';

/** A section, and where its text stands in that of the page. */
export interface PlacedSection extends Omit<Section, 'text'> {
  readonly from: number;
  readonly to: number;
}

/** What a page says: its sections, and their texts as one. */
export class PageContent {
  /** The headings of all sections, folded. */
  readonly headings: string;
  /** Characters of texts, headings and anchors. */
  readonly size: number;

  constructor(
    readonly sections: readonly PlacedSection[],
    /** The texts of all sections, folded, with a character between two. */
    readonly folded: string,
    /** Returns the text of the section with this index. */
    readonly textOf: (index: number) => string,
  ) {
    this.headings = foldText(sections.map(({ heading }) => heading).join('\n'));
    const ofAnchors = sections.reduce((sum, { anchor = '' }) => sum + anchor.length, 0);
    this.size = folded.length + this.headings.length + ofAnchors;
  }

  static of(sections: readonly Section[]): PageContent {
    let end = -1;
    const placed = sections.map(({ text, ...section }): PlacedSection => {
      const from = end + 1;
      end = from + text.length;
      return { ...section, from, to: end };
    });
    const folded = foldText(sections.map(({ text }) => text).join('\n'));
    return new PageContent(placed, folded, (index) => sections[index]?.text ?? '');
  }

  /** Index of the section that a position is in. */
  sectionAt(position: number): number {
    let low = 0;
    let high = this.sections.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.sections[middle]?.from ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
