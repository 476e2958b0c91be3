import type { Section } from '../../formats/html/index.js';
import { findPositions, type Position } from './find-positions.js';
import type { OpenedPage } from './found-page.js';
import type { SearchBudget } from './search-budget.js';
import { foldText } from './words/fold.js';

/** The text of all sections of a page as one, with where each begins. */
export class PageView {
  readonly text: string;
  readonly folded: string;
  readonly positions: readonly Position[];
  private readonly starts: readonly number[];

  constructor(
    readonly page: OpenedPage,
    budget: SearchBudget,
  ) {
    const starts: number[] = [];
    let length = 0;
    for (const { text } of page.sections) {
      starts.push(length);
      length += text.length + 1;
    }
    this.starts = starts;
    this.text = page.sections.map(({ text }) => text).join('\n');
    this.folded = foldText(this.text);
    this.positions = findPositions(page.words, this.folded, budget);
  }

  /** Index of the section that a position is in. */
  sectionAt(position: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** From where to where the text of a section reaches. */
  rangeOf(index: number): { readonly from: number; readonly to: number } {
    const from = this.starts[index] ?? 0;
    return { from, to: from + (this.page.sections[index]?.text.length ?? 0) };
  }

  section(index: number): Section | undefined {
    return this.page.sections[index];
  }
}
