import type { Section } from '../../formats/html/index.js';
import { foldText } from './words/fold.js';

/** A section, and where its text stands in that of the page. */
export interface PlacedSection extends Omit<Section, 'text'> {
  readonly from: number;
  readonly to: number;
}

/** What a page says: its sections, and their texts as one. */
export class PageContent {
  readonly folded: string;
  /** The headings of all sections, folded. */
  readonly headings: string;
  /** Characters of texts, headings and anchors. */
  readonly size: number;

  constructor(
    readonly sections: readonly PlacedSection[],
    readonly text: string,
  ) {
    this.folded = foldText(text);
    this.headings = foldText(sections.map(({ heading }) => heading).join('\n'));
    const ofAnchors = sections.reduce((sum, { anchor = '' }) => sum + anchor.length, 0);
    this.size = text.length + this.headings.length + ofAnchors;
  }

  static of(sections: readonly Section[]): PageContent {
    let end = -1;
    const placed = sections.map(({ text, ...section }): PlacedSection => {
      const from = end + 1;
      end = from + text.length;
      return { ...section, from, to: end };
    });
    return new PageContent(placed, sections.map(({ text }) => text).join('\n'));
  }

  textOf({ from, to }: PlacedSection): string {
    return this.text.slice(from, to);
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
