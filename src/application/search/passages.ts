import type { OpenedPage, WeightedWord } from './found-page.js';
import type { TextMatch } from './match-text.js';
import type { Position } from './positions.js';
import { RANKING as R } from './ranking-weights.js';

/** Match of the heading of a section with a query. */
export interface SectionMatch extends TextMatch {
  readonly index: number;
}

/** A page, and where it has the words of a query. */
export interface MatchedPage {
  readonly page: OpenedPage;
  /** Positions of the words of the query in its text. */
  readonly positions: readonly Position[];
  readonly title: TextMatch;
  readonly sections: readonly SectionMatch[];
}

/** Some paragraphs of a section. */
interface Passage {
  readonly section: number;
  /** Occurrences of each word. */
  readonly counts: readonly number[];
}

/** The section of a page with the passage that answers best, and the score of this passage. */
interface BestPassage {
  /** Index of the section; 0, the beginning of the page, where no passage has a word. */
  readonly section: number;
  readonly score: number;
}

/** Ranks the passages of a page: BM25 with any of the words. */
export function bestPassage(page: MatchedPage): BestPassage {
  const headings = new Map(page.sections.map((heading) => [heading.index, heading]));
  let best: BestPassage = { section: 0, score: 0 };
  for (const passage of passagesOf(page)) {
    const score = scoreOf(passage, page.page.words, page.title, headings.get(passage.section));
    if (score > best.score) best = { section: passage.section, score };
  }
  return best;
}

/** Each section in passages of about the same length, with the occurrences of the words in them. */
function* passagesOf({
  page: { content, words },
  positions,
}: Pick<MatchedPage, 'page' | 'positions'>): Generator<Passage> {
  let next = 0;
  for (let section = 0; section < content.count; section += 1) {
    const { from, to } = content.rangeOf(section);
    const number = Math.max(1, Math.ceil((to - from) / R.passage.length));
    const length = Math.ceil((to - from) / number);
    for (let at = 1; at <= number; at += 1) {
      // Rounded lengths are together longer than the section, whose next one begins after it.
      const end = Math.min(from + at * length, to);
      const counts = words.map(() => 0);
      for (
        let position = positions[next];
        position !== undefined && position.at < end;
        position = positions[++next]
      ) {
        counts[position.word] = (counts[position.word] ?? 0) + (position.isSynonym ? R.synonym : 1);
      }
      yield { section, counts };
    }
  }
}

/** @param heading of its section, where it has words */
function scoreOf(
  { counts }: Passage,
  words: readonly WeightedWord[],
  title: TextMatch,
  heading: TextMatch | undefined,
): number {
  const { k1, heading: timesInHeading, title: timesInTitle } = R.passage;
  const counted = words.reduce((sum, { weight }, at) => {
    const times =
      (counts[at] ?? 0) +
      timesInHeading * (heading?.likenesses[at] ?? 0) +
      timesInTitle * (title.likenesses[at] ?? 0);
    return sum + (weight * times * (k1 + 1)) / (times + k1);
  }, 0);
  return heading === undefined ? counted : counted + R.headingCoverage * heading.share * heading.coverage;
}
