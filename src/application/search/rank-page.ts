import { bestWindow } from './best-window.js';
import type { Haystack } from './content/haystack.js';
import type { FoundPage, OpenedPage } from './found-page.js';
import { matchSections, type SectionMatch } from './match-sections.js';
import { matchText, type TextMatch } from './match-text.js';
import { PageView } from './page-view.js';
import { RANKING as R } from './ranking-weights.js';
import type { SearchBudget } from './search-budget.js';
import { foldText } from './words/fold.js';
import { fileTitle, folderOf } from './words/page-words.js';

/** Occurrences between two looks at the budget. */
const PER_LOOK = 4_096;

/** Score of a page by what the index knows of it without the text: which pages are worth reading. */
export function roughScore(page: FoundPage): number {
  const { share, coverage } = titleMatch(page);
  return (
    R.kind[page.kind] *
    (definitionScore(page) + R.place[page.place] + share + R.titleCoverage * share * coverage)
  );
}

/** A page with its score and with what the score was made from. */
export interface RankedPage {
  readonly score: number;
  readonly view: PageView;
  readonly title: TextMatch;
  readonly sections: readonly SectionMatch[];
}

/** What the budget does not suffice for counts as not found. */
export function rankPage(page: OpenedPage, languages: readonly string[], budget: SearchBudget): RankedPage {
  const view = new PageView(page, budget);
  const title = titleMatch(page);
  // The headings of a list say what other pages explain.
  const sections = page.kind === 'generated-list' ? [] : matchSections(page, budget);
  const score =
    definitionScore(page) +
    R.words * wordScore(view, title, sections) +
    R.titleCoverage * title.share * title.coverage +
    R.proximity * proximity(view) +
    R.pieces * piecesIn(view, budget);
  return { score: score * R.kind[page.kind] * languageFactor(page, languages), view, title, sections };
}

/** Of several definitions of a name, those with the shortest full names come first. */
function definitionScore({ definition }: FoundPage): number {
  if (definition === undefined) return 0;
  return R.definition[definition.style] - R.furtherPart * definition.further;
}

/** How a title or heading answers the query as a whole: one that says nothing else is best. */
export function headingScore({ share, coverage }: TextMatch): number {
  return share * share * (R.longHeading + (1 - R.longHeading) * coverage);
}

/** The better of the title and the name of the file. */
function titleMatch({ words, title, path }: FoundPage): TextMatch {
  const byTitle = matchText(words, title);
  const byFile = matchText(words, fileTitle(path));
  const likenesses = byTitle.likenesses.map((like, at) =>
    Math.max(like, R.file * (byFile.likenesses[at] ?? 0)),
  );
  return R.file * worth(byFile) > worth(byTitle)
    ? { likenesses, share: R.file * byFile.share, coverage: R.file * byFile.coverage }
    : { ...byTitle, likenesses };
}

function worth({ share, coverage }: TextMatch): number {
  return share * (1 + coverage);
}

/** Each word of the query by the best place that it has in the page. */
function wordScore(view: PageView, title: TextMatch, sections: readonly SectionMatch[]): number {
  const { words } = view.page;
  const counts = words.map(() => ({ own: 0, all: 0 }));
  for (const { word, isSynonym } of view.positions) {
    const count = counts[word];
    if (count === undefined) continue;
    count.all += 1;
    if (!isSynonym) count.own += 1;
  }
  const byFolder = matchText(words, folderOf(view.page.path));
  const { occurrences, ofEmptyPage } = R.saturation;
  const saturation =
    occurrences * (ofEmptyPage + ((1 - ofEmptyPage) * view.content.folded.length) / R.usualLength);
  let sum = 0;
  for (const [at, { weight, isOfProject }] of words.entries()) {
    let best = R.title * (title.likenesses[at] ?? 0);
    for (const { likenesses, isName } of sections) {
      best = Math.max(best, (isName ? R.inName : R.inHeading) * (likenesses[at] ?? 0));
    }
    best = Math.max(best, R.inFolder * (byFolder.likenesses[at] ?? 0));
    const { own = 0, all = 0 } = counts[at] ?? {};
    const body = R.inBody * Math.max(own / (own + saturation), R.synonym * (all / (all + saturation)));
    sum += weight * (Math.max(best, isOfProject ? R.inProject : 0) + body);
  }
  return sum;
}

/** How close together the words of the query stand in the text. */
function proximity(view: PageView): number {
  const { words } = view.page;
  if (words.length < 2) return 0;
  const length = words.reduce((sum, { folded }) => sum + folded.length + 3, 0);
  return bestWindow(words, view.positions, 2 * length)?.share ?? 0;
}

/** Share of what was typed in one piece that stands like this in the page; more if it does in a heading. */
function piecesIn({ page: { title, pieces }, content }: PageView, budget: SearchBudget): number {
  if (pieces.length === 0) return 0;
  const foldedTitle = foldText(title);
  let found = 0;
  for (const piece of pieces) {
    if (hasWhole(foldedTitle, piece, budget) || hasWhole(content.headings, piece, budget)) found += 1;
    else if (hasWhole(content.folded, piece, budget)) found += R.pieceInText;
  }
  return found / pieces.length;
}

/** Whether a text has the piece, and not as the beginning of something longer. */
function hasWhole(text: Haystack, piece: string, budget: SearchBudget): boolean {
  let looked = 0;
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) {
    looked += 1;
    if (looked % PER_LOOK === 0 && budget.isSpent()) break;
    if (!/[a-z0-9_]/.test(text.slice(at + piece.length, at + piece.length + 1))) return true;
  }
  return false;
}

/** A page in a language that the reader has not asked for comes after the same page in one that he has. */
function languageFactor({ language }: FoundPage, languages: readonly string[]): number {
  if (language === undefined) return 1;
  const [primary] = language.toLowerCase().split('-');
  return languages.some((each) => each.toLowerCase().split('-')[0] === primary) ? 1 : R.otherLanguage;
}
