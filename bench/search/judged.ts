import { JUDGED, judge, THREE, type Verdict } from '../../test/judged/judge.js';
import { moduleOfBuild } from '../support/builds.js';
import { progress } from '../support/script.js';
import type { Row } from '../support/table.js';

/** Measurements of what `test/judged` asserts. */
export async function judgedRows(databases: ReadonlyMap<string, string>): Promise<Row[]> {
  const { SqliteSearchIndex } = await moduleOfBuild('adapters/search/index.js');
  const index = new SqliteSearchIndex({ fileOf: (project) => databases.get(project) ?? '' });
  const all = [...databases.keys()].map((project) => ({ revision: project, project }));
  const three = all.filter(({ project }) => THREE.includes(project));
  const rows = [
    ...rowsOf('three sites', await judge(index, JUDGED.three, three), [0.92, 0.97]),
    ...rowsOf('all sites', await judge(index, JUDGED.all, all), [0.92, 0.97]),
    ...rowsOf('hold-out', await judge(index, JUDGED.holdOut, all), [0.85, 0.92]),
  ];
  await index.close();
  return rows;
}

function rowsOf(name: string, verdict: Verdict, [first, inThree]: readonly [number, number]): Row[] {
  const { queries, others } = verdict;
  progress(`search: ${name}, not first: ${others.join(', ')}`);
  const row = (what: string, count: number, atLeast: number): Row => ({
    what: `judged queries, ${name}: page ${what}`,
    against: 'all',
    unit: '×',
    values: [count / queries],
    target: { atLeast },
    detail: `${count} of ${queries}`,
  });
  return [row('first', verdict.first, first), row('in the first three', verdict.inThree, inThree)];
}
