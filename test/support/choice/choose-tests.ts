import { filesThatReach, loadersIn, type Tree } from '../import-graph.js';
import { FOR_ALL, FOR_NONE, READERS, SHARED_FOLDERS, SYSTEM_FOLDERS, type SystemFolder } from './folders.js';

export interface Choice {
  /** Paths of tests, with the reason for each, to read after `since`. */
  readonly chosen: ReadonlyMap<string, string>;
  /** Numbers of tests that are left out, by folder below `test`. */
  readonly leftOut: ReadonlyMap<string, number>;
}

export const isTest = (path: string) => /^test\/.*\.test\.tsx?$/.test(path);

/** Whether a path is one of these files, or is in one of these folders. `''` is the whole project. */
const isIn = (path: string, places: readonly string[]) =>
  places.some((place) => place === '' || path === place || path.startsWith(`${place}/`));

/** The first row whose folder has the test. */
const systemOf = (path: string): SystemFolder | undefined =>
  SYSTEM_FOLDERS.find(({ folder }) => isIn(path, [`test/${folder}`]));

/**
 * Returns the tests that a change can reach.
 * @param changed paths of files that were changed, added or deleted
 * @param tree the project with the change
 */
export function chooseTests(changed: readonly string[], tree: Tree): Choice {
  const tests = tree.files.filter(isTest);
  const chosen = new Map<string, string>();
  const choose = (some: readonly string[], why: string) => {
    for (const test of some) if (!chosen.has(test)) chosen.set(test, why);
  };
  // Files that are deleted can still be named.
  const loaders = loadersIn({ ...tree, files: [...tree.files, ...changed] });
  for (const path of changed) {
    if (isIn(path, FOR_ALL)) choose(tests, `every test can depend on ${path}`);
    else chooseFor(path);
  }
  return { chosen, leftOut: countedByFolder(tests.filter((test) => !chosen.has(test))) };

  function chooseFor(path: string): void {
    const reached = filesThatReach(path, loaders);
    const reachedTests = tests.filter((test) => reached.has(test));
    const isSource = isIn(path, ['src']);
    choose(
      reachedTests.filter((test) => !isSource || systemOf(test) === undefined),
      'they import or read a changed file',
    );
    for (const [reader, folders] of READERS) {
      if (isIn(path, folders)) choose(testsIn(reader), 'they read whole folders');
    }
    for (const row of SYSTEM_FOLDERS) {
      if (isIn(path, row.rooms)) choose(testsOf(row), `they try ${path}`);
      else if (isSource && row.smoke !== undefined)
        choose(testsIn(`test/${row.smoke}`), 'each tries the whole program');
    }
    if (reachedTests.length === 0 && !SYSTEM_FOLDERS.some(({ rooms }) => rooms.includes(path))) {
      chooseInDoubt(path);
    }
  }

  /** Nothing is known to load the file. */
  function chooseInDoubt(path: string): void {
    if (isTest(path) || isIn(path, FOR_NONE) || /^[^/]+\.md$/.test(path)) return;
    const [room, folder = ''] = path.split('/');
    const isOfOneFolder = room === 'test' && folder !== '' && !SHARED_FOLDERS.includes(folder);
    if (isOfOneFolder && path !== `test/${folder}`)
      choose(testsIn(`test/${folder}`), `they may load ${path}`);
    else choose(tests, `no test is known to load ${path}`);
  }

  function testsIn(folder: string): readonly string[] {
    return tests.filter((test) => isIn(test, [folder]));
  }

  function testsOf(row: SystemFolder): readonly string[] {
    return tests.filter((test) => systemOf(test) === row);
  }
}

/** Says what was chosen, why, and what is left out: a line for each reason, and one for the rest. */
export function linesOf({ chosen, leftOut }: Choice): readonly string[] {
  const testsOf = new Map<string, string[]>();
  for (const [test, why] of chosen) testsOf.set(why, [...(testsOf.get(why) ?? []), test]);
  const listed = (counts: ReadonlyMap<string, number>) =>
    [...counts].map(([folder, count]) => `${folder} ${count}`).join(', ');
  return [
    ...[...testsOf].map(([why, tests]) => `runs, since ${why}: ${listed(countedByFolder(tests))}`),
    leftOut.size === 0 ? 'leaves out nothing' : `leaves out: ${listed(leftOut)}`,
  ];
}

/** Numbers of tests by the folder that names them in the tables. */
function countedByFolder(tests: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const test of tests) {
    const folder = systemOf(test)?.folder ?? test.split('/')[1] ?? '';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}
