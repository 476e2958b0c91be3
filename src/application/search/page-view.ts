import type { PageContent } from './content/page-content.js';
import { findPositions, type Position } from './find-positions.js';
import type { OpenedPage } from './found-page.js';
import type { SearchBudget } from './search-budget.js';

/** A page with where the words of a query stand in its text. */
export class PageView {
  readonly content: PageContent;
  readonly positions: readonly Position[];

  constructor(
    readonly page: OpenedPage,
    budget: SearchBudget,
  ) {
    this.content = page.content;
    this.positions = findPositions(page.words, page.content.folded, budget);
  }
}
