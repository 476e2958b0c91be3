import type { SearchOptions, SearchResult } from '../ports/search-index.js';
import { compareCandidates, type ScoredCandidate } from './found-page.js';

/** A candidate whose text was read. */
export interface RankedResult extends ScoredCandidate {
  /** Heading of its result. */
  readonly heading: string | undefined;
  /** Makes its result, with a snippet: called for those that are asked for. */
  result(): SearchResult;
}

/**
 * The results of an answer, best first. Where equal ones are folded, results of several revisions with the same title and
 * heading are one row, at the place of the best of them.
 */
export class ResultRows {
  private readonly rows: RankedResult[][] = [];
  private readonly rowsOf = new Map<string, RankedResult[][]>();
  private readonly titles = new Set<string>();
  private readonly preferred: ReadonlySet<string>;

  constructor(private readonly options: Pick<SearchOptions, 'isFolded' | 'preferred'>) {
    this.preferred = new Set(options.preferred);
  }

  get count(): number {
    return this.rows.length;
  }

  /** Adds a result to the row that has its equals, or as the last row. */
  add(ranked: RankedResult): void {
    if (this.fold(ranked)) return;
    const row = [ranked];
    this.rows.push(row);
    const { title } = ranked.candidate.page;
    // Pages without a title have nothing by which they are equal.
    if (this.options.isFolded !== true || title === '') return;
    this.titles.add(title);
    const key = keyOf(ranked);
    this.rowsOf.set(key, [...(this.rowsOf.get(key) ?? []), row]);
  }

  /** Adds a result to the row that has its equals. @returns whether there is one without this revision */
  fold(ranked: RankedResult): boolean {
    const { revision } = ranked.candidate;
    const isWithout = (row: RankedResult[]) => row.every(({ candidate }) => candidate.revision !== revision);
    const row = this.rowsOf.get(keyOf(ranked))?.find(isWithout);
    row?.push(ranked);
    return row !== undefined;
  }

  /** Whether a page may belong to a row, as far as is known without its text. */
  mayHave({ candidate }: ScoredCandidate): boolean {
    return this.titles.has(candidate.page.title);
  }

  slice(from: number, to: number): SearchResult[] {
    return this.rows.slice(from, to).flatMap((row) => oneOf(this.inOrder(row).map((each) => each.result())));
  }

  /** All revisions by their rows; some come more than once. */
  revisions(): string[] {
    return this.rows.flatMap((row) => this.inOrder(row).map(({ candidate }) => candidate.revision));
  }

  /** The one that the reader means most likely comes first. */
  private inOrder(row: readonly RankedResult[]): readonly RankedResult[] {
    return row.toSorted(
      (a, b) =>
        wordsNaming(b) - wordsNaming(a) ||
        this.preference(b) - this.preference(a) ||
        b.timesRead - a.timesRead ||
        compareCandidates(a, b),
    );
  }

  private preference({ candidate }: RankedResult): number {
    return Number(this.preferred.has(candidate.revision));
  }
}

/** Makes one result of equal ones, the first of which is shown; none of none. */
export function oneOf<Result extends object>([first, ...sameIn]: readonly Result[]): (Result & {
  readonly sameIn?: readonly Result[];
})[] {
  if (first === undefined) return [];
  return [sameIn.length === 0 ? first : { ...first, sameIn }];
}

/** A page that lacks a word is not the same as one that has all: it answers less. */
function keyOf({ candidate: { page }, heading = '' }: RankedResult): string {
  return `${page.hasAll}\n${page.title}\n${heading}`;
}

/** Number of words of the query that name the project. */
function wordsNaming({ candidate }: RankedResult): number {
  return candidate.page.words.filter(({ isOfProject }) => isOfProject).length;
}
