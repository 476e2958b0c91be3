import { bestWindow } from './best-window.js';
import type { OpenedPage } from './found-page.js';
import { matchText, needlesOf } from './match-text.js';
import { headingScore, type RankedPage } from './rank-page.js';
import { MAX_SECTION_WINDOW, MIN_SECTION_SCORE, MIN_TITLE, RANKING as R } from './ranking-weights.js';
import type { SearchBudget } from './search-budget.js';

/** Index of the section that answers best. 0 is the beginning of the page. */
export function chooseSection({ view, sections, title }: RankedPage, budget: SearchBudget): number {
  const scored = sections.map((match) => ({
    index: match.index,
    score: headingScore(match),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { index: 0, score: 0 });
  const beyondTitle = best.score > MIN_SECTION_SCORE && best.score >= headingScore(title);
  if (beyondTitle) return best.index;
  if (title.share > MIN_TITLE.share && title.coverage > MIN_TITLE.coverage) return 0;
  const window = bestWindow(view.page.words, view.positions, MAX_SECTION_WINDOW);
  const byText =
    window === undefined ? undefined : { index: view.content.sectionAt(window.from), share: window.share };
  if (byText === undefined) return best.score > 0 ? best.index : byWholeHeading(view.page, budget);
  return best.score >= R.together * byText.share ? best.index : byText.index;
}

/** The section whose heading has the words that nothing else has, such as those of the arguments of a function; else 0. */
function byWholeHeading({ words, content }: OpenedPage, budget: SearchBudget): number {
  let best = { index: 0, share: 0 };
  for (const index of content.sectionsWith(needlesOf(words))) {
    if (budget.isSpent()) break;
    const { share } = matchText(words, content.section(index)?.heading ?? '');
    if (share > best.share) best = { index, share };
  }
  return best.index;
}
