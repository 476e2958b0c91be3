import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** `dist/main.js` of the build to compare with, in a checkout of its own. */
export const BEFORE = process.env.BENCH_BEFORE;

/** A run of a measurement, for one build. */
interface Run {
  readonly main: string;
  readonly isFirst: boolean;
  /** Rounds measured so far. */
  rounds: number;
}

const runs = new AsyncLocalStorage<Run>();
/** Lets the other run go on, which waits for its turn. Undefined once it has ended, or where there is none. */
let goOn: (() => void) | undefined;

/**
 * A measurement's result for this build, and for the one before if `BENCH_BEFORE` names it. Only one of the two runs at a
 * time: they take turns round by round, A B B A A B …, so that both meet the same machine.
 */
export async function inTurns<Result>(
  measure: () => Promise<Result>,
): Promise<{ readonly own: Result; readonly before?: Result | Error }> {
  if (BEFORE === undefined) return { own: await measure() };
  const start = (main: string, isFirst: boolean) =>
    runs.run({ main, isFirst, rounds: 0 }, measure).finally(() => {
      const next = goOn;
      goOn = undefined;
      next?.();
    });
  const turn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const other = turn.then(() => start(BEFORE, false)).catch((error: Error) => error);
  const own = await start(MAIN, true);
  return { own, before: await other };
}

/** Ends a round: every second time, the other build has its turn. */
export async function endRound(): Promise<void> {
  const run = runs.getStore();
  if (run === undefined) return;
  run.rounds += 1;
  const next = goOn;
  if (next === undefined || (run.rounds % 2 === 1) !== run.isFirst) return;
  await new Promise<void>((resolve) => {
    goOn = resolve;
    next();
  });
}

/** `dist/main.js` of the build whose turn it is. */
export const mainOfBuild = () => runs.getStore()?.main ?? MAIN;

interface Modules {
  'adapters/comparison/index.js': typeof import('../../src/adapters/comparison/index.js');
  'adapters/filesystem/index.js': typeof import('../../src/adapters/filesystem/index.js');
  'adapters/search/index.js': typeof import('../../src/adapters/search/index.js');
  'adapters/zip/index.js': typeof import('../../src/adapters/zip/index.js');
  'application/index.js': typeof import('../../src/application/index.js');
  'domain/index.js': typeof import('../../src/domain/index.js');
  'formats/html/index.js': typeof import('../../src/formats/html/index.js');
}

/** A compiled module of a build, by default that whose turn it is; the path is below `dist`. */
export function moduleOfBuild<Path extends keyof Modules>(
  path: Path,
  main = mainOfBuild(),
): Promise<Modules[Path]> {
  return import(pathToFileURL(join(dirname(main), path)).href);
}
