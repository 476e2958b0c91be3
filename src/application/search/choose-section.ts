import { bestWindow } from './best-window.js';
import type { OpenedPage } from './found-page.js';
import { matchText } from './match-text.js';
import { type RankedPage, sectionScore } from './rank-page.js';
import type { SearchBudget } from './search-budget.js';

/** Characters in which the words of a query should stand together. */
const NEAR = 300;
/** Least score of a heading for the page to be left for one of its sections, when the title answers the query, too. */
const TELLING = 0.55;

/** Index of the section that answers best. 0 is the beginning of the page. */
export function chooseSection({ view, sections, title }: RankedPage, budget: SearchBudget): number {
  const scored = sections.map((match) => ({ index: match.index, score: sectionScore(match) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { index: 0, score: 0 });
  const beyondTitle =
    best.score > TELLING && best.score >= title.share * title.share * (0.3 + 0.7 * title.coverage);
  if (beyondTitle) return best.index;
  if (title.share > 0.9 && title.coverage > 0.3) return 0;
  const window = bestWindow(view.page.words, view.positions, NEAR);
  const byText =
    window === undefined ? undefined : { index: view.sectionAt(window.from), share: window.share };
  if (byText === undefined) return best.score > 0 ? best.index : byWholeHeading(view.page, budget);
  return best.score >= byText.share * 0.5 ? best.index : byText.index;
}

/** The section whose heading has the words that nothing else has, such as those of the arguments of a function; else 0. */
function byWholeHeading({ words, sections }: OpenedPage, budget: SearchBudget): number {
  let best = { index: 0, share: 0 };
  for (const [index, { heading }] of sections.entries()) {
    if (budget.isSpent()) break;
    const { share } = matchText(words, heading);
    if (share > best.share) best = { index, share };
  }
  return best.index;
}
