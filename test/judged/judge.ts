import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveRevision, SearchIndex } from '../../src/application/index.js';
import { ROOT } from '../support/root.js';

interface JudgedQuery {
  readonly query: string;
  /** Regular expression of the beginning of `<project>/<path>#<anchor>`. */
  readonly page: string;
}

export const JUDGED = JSON.parse(readFileSync(join(ROOT, 'test/judged/queries.json'), 'utf8')) as Readonly<
  Record<'three' | 'all' | 'holdOut', readonly JudgedQuery[]>
>;

/** Projects of the queries `three`. */
export const THREE = ['flask', 'postgres', 'openjdk'];

export interface Verdict {
  readonly queries: number;
  /** Queries whose page comes first, and those whose page is one of the first three. */
  readonly first: number;
  readonly inThree: number;
  /** Queries whose page is not first, with its place: 0 is not among the first ten. */
  readonly others: readonly string[];
  /** Milliseconds of each search. */
  readonly milliseconds: readonly number[];
}

export async function judge(
  index: SearchIndex,
  queries: readonly JudgedQuery[],
  live: readonly LiveRevision[],
): Promise<Verdict> {
  const projects = new Map(live.map(({ revision, project }) => [revision, project]));
  const places: number[] = [];
  const milliseconds: number[] = [];
  for (const { query, page } of queries) {
    const startedAt = performance.now();
    const { results } = await index.search(query, live, { limit: 10 });
    milliseconds.push(performance.now() - startedAt);
    const expected = new RegExp(`^(?:${page})`);
    places.push(
      1 +
        results.findIndex(({ revision, path, anchor = '' }) =>
          expected.test(`${projects.get(revision)}/${path}#${anchor}`),
        ),
    );
  }
  return {
    queries: queries.length,
    first: places.filter((place) => place === 1).length,
    inThree: places.filter((place) => place >= 1 && place <= 3).length,
    others: queries.flatMap(({ query }, at) => (places[at] === 1 ? [] : [`${query}: ${places[at]}`])),
    milliseconds,
  };
}
