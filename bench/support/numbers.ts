import { endRound } from './builds.js';

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Round by round, so that what disturbed a whole round disturbs no ratio. */
export function ratios(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN));
}

type Contenders = Readonly<Record<string, (round: number) => Promise<unknown>>>;
type Results<Names extends Contenders> = { [Name in keyof Names]: Awaited<ReturnType<Names[Name]>>[] };

/** Each contender once a round, every other round in the opposite order. Builds that are compared take turns between rounds. */
export async function alternating<Names extends Contenders>(
  rounds: number,
  contenders: Names,
): Promise<Results<Names>> {
  const names = Object.keys(contenders);
  const results = Object.fromEntries(names.map((name) => [name, [] as unknown[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results[name]?.push(await contenders[name]?.(round));
    }
    await endRound();
  }
  return results as Results<Names>;
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Seconds of processor time of this process for all pages. */
export function secondsFor<Page>(pages: readonly Page[], work: (page: Page) => void): number {
  const before = process.cpuUsage();
  for (const page of pages) work(page);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
