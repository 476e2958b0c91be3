import { isListing } from '../../formats/html/text/page-text.js';
import { kindFactor } from './asked-kinds.js';
import type { FoundPage, OpenedPage, WeightedWord } from './found-page.js';
import { matchText, needlesOf, type TextMatch } from './match-text.js';
import type { Haystack } from './page-content.js';
import { bestPassage, type MatchedPage, type SectionMatch } from './passages.js';
import { bestWindow, findPositions } from './positions.js';
import { RANKING as R } from './ranking-weights.js';
import type { SearchBudget } from './search-budget.js';
import { foldText } from './words/fold.js';
import { fileTitle, folderOf, isName, nameOf } from './words/page-words.js';

/** Occurrences between two looks at the budget. */
const PER_LOOK = 4_096;

/** Score of a page by what the index knows of it without the text: which pages are worth reading. */
export function roughScore(page: FoundPage): number {
  const { share, coverage } = titleMatch(page);
  return (
    kindFactor(page) *
    (definitionScore(page) + R.place[page.place] + share + R.titleCoverage * share * coverage)
  );
}

/** A page with its score and with what the score was made from. */
export interface RankedPage extends MatchedPage {
  readonly score: number;
  /** Index of the section that explains what is searched for, else of the one that answers best. */
  readonly section: number;
}

/** Ranks a page by its best passage, and by what it is about as a whole. Parts beyond the budget count as not found. */
export function rankPage(page: OpenedPage, languages: readonly string[], budget: SearchBudget): RankedPage {
  const positions = findPositions(page.words, page.content.folded, budget);
  const title = titleMatch(page);
  // The headings of a list say what other pages explain.
  const sections = isListing(page.kind) ? [] : matchSections(page, budget);
  const found = { page, positions, title, sections };
  const passage = bestPassage(found);
  const whole =
    definitionScore(page) +
    R.words * wordScore(found) +
    R.titleCoverage * title.share * title.coverage +
    R.proximity * proximity(found) +
    R.pieces * piecesIn(page, budget);
  return {
    ...found,
    score: kindFactor(page) * languageFactor(page, languages) * (passage.score + R.page * whole),
    section: page.definition?.section ?? passage.section,
  };
}

/** Score of a definition of the searched name: the shorter the full name, the higher. */
function definitionScore({ definition }: FoundPage): number {
  if (definition === undefined) return 0;
  return R.definition[definition.style] - R.furtherPart * definition.further;
}

/** The sections whose headings have a word of the query, as far as the budget suffices. */
function matchSections({ words, content }: OpenedPage, budget: SearchBudget): SectionMatch[] {
  const matches: SectionMatch[] = [];
  for (const index of content.sectionsWith(needlesOf(words))) {
    if (budget.isSpent()) break;
    const section = content.section(index);
    if (section === undefined) break;
    const byName = isName(section) ? matchText(words, identifierOf(nameOf(section))) : undefined;
    const isNamed = byName !== undefined && byName.share > 0;
    // Words among the arguments of a name are in its heading only.
    const match = isNamed ? byName : matchText(words, section.heading);
    if (match.share > 0) matches.push({ ...match, index });
  }
  return matches;
}

/** `flask.json.jsonify` is about `jsonify`: what it belongs to counts as a word of the query, not against the name. */
function identifierOf(name: string): string {
  return /^[^ ]+/.exec(name)?.[0] ?? name;
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
function wordScore({ page, positions, title, sections }: MatchedPage): number {
  const { words, content, path } = page;
  const counts = words.map(() => ({ own: 0, all: 0 }));
  for (const { word, isSynonym } of positions) {
    const count = counts[word];
    if (count === undefined) continue;
    count.all += 1;
    if (!isSynonym) count.own += 1;
  }
  const byFolder = matchText(words, folderOf(path));
  const { occurrences, ofEmptyPage } = R.saturation;
  const saturation =
    occurrences * (ofEmptyPage + ((1 - ofEmptyPage) * content.folded.length) / R.usualLength);
  let sum = 0;
  for (const [at, { weight }] of words.entries()) {
    let best = R.title * (title.likenesses[at] ?? 0);
    for (const { likenesses } of sections) best = Math.max(best, R.inHeading * (likenesses[at] ?? 0));
    best = Math.max(best, R.inFolder * (byFolder.likenesses[at] ?? 0));
    const { own = 0, all = 0 } = counts[at] ?? {};
    const body = R.inBody * Math.max(own / (own + saturation), R.synonym * (all / (all + saturation)));
    sum += weight * (best + body);
  }
  return sum;
}

/** The words of the query that other pages have and this one lacks, without fillers. */
export function wordsLackingIn({ page, positions, title, sections }: MatchedPage): readonly WeightedWord[] {
  const byFolder = matchText(page.words, folderOf(page.path));
  const inText = new Set(positions.map(({ word }) => word));
  return page.words.filter(({ pages, isOfProject, isFiller }, at) => {
    const matches = [title, byFolder, ...sections];
    return (
      pages > 0 &&
      !isOfProject &&
      !isFiller &&
      !inText.has(at) &&
      !matches.some(({ likenesses }) => (likenesses[at] ?? 0) > 0)
    );
  });
}

/** Returns how close together the words of the query are in the text. */
function proximity({ page: { words }, positions }: Pick<MatchedPage, 'page' | 'positions'>): number {
  if (words.length < 2) return 0;
  const length = words.reduce((sum, { folded }) => sum + folded.length + 3, 0);
  return bestWindow(words, positions, 2 * length)?.share ?? 0;
}

/** Share of what was typed in one piece that stands like this in the page; more if it does in a heading. */
function piecesIn({ title, pieces, content }: OpenedPage, budget: SearchBudget): number {
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
