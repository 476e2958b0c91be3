import { fileURLToPath } from 'node:url';
import { BEFORE, inTurns } from './builds.js';
import { endAfter } from './machine.js';
import { asMarkdown, compared, type Section } from './table.js';

export type Measure = () => Promise<Section>;

/** Runs a measurement when its file is the program, and not when `run.ts` imports it. Takes `minutes` for a build at most. */
export async function whenRunAlone(url: string, measure: Measure, minutes = 10): Promise<void> {
  if (process.argv[1] !== fileURLToPath(url)) return;
  endAfter(BEFORE === undefined ? minutes : 2 * minutes);
  console.log(asMarkdown(await sectionOf(measure)));
  process.exit(0);
}

/** A measurement of this build, or its comparison with the build before. */
export async function sectionOf(measure: Measure): Promise<Section> {
  const { own, before } = await inTurns(measure);
  return before === undefined ? own : compared(own, before);
}

/** Rounds of each measurement: `BENCH_ROUNDS`, or as many as fit into 15 minutes for all. */
export const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Seconds of load for each value. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);

/** How long a process is left alone before it counts as idle: V8 tidies up until some twenty seconds after the last work. */
export const SETTLING_MS = 25_000;

export function progress(text: string): void {
  console.error(`  ${text}`);
}
