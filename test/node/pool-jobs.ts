import { BroadcastChannel, threadId, workerData } from 'node:worker_threads';
import { refuse } from '../../src/domain/index.js';
import { isAbandoned, job } from '../../src/node/background/job.js';

/** Shared by the jobs of a test and its threads: one number for each place. */
export interface Board {
  readonly board: Int32Array;
  readonly place: number;
}

/** Each thread adds 1 at the place of a message that reaches it. */
const channel = new BroadcastChannel(String(workerData));
channel.onmessage = ({ data: { board, place } }: { data: Board }) => Atomics.add(board, place, 1);

export const echo = job((text: string) => text);
export const refused = job((_: undefined) => {
  throw refuse.uploadTooLarge(1, 2);
});
export const dies = job((code: number) => process.exit(code));
export const fills = job((_: undefined) => {
  const kept: string[][] = [];
  for (;;) kept.push(Array<string>(100_000).fill('x'));
});
/** Writes 1 at its place, and waits for another number there. */
export const held = job((board: Board) => {
  hold(board);
  return board.place;
});
export const heldThenDies = job((board: Board) => {
  hold(board);
  process.exit(3);
});
/** Writes 1 at its place, and 1,000 with the number of its thread once nobody waits for it. */
export const heldUntilAbandoned = job(({ board, place }: Board) => {
  Atomics.store(board, place, 1);
  while (!isAbandoned()) Atomics.wait(board, place, 1, 5);
  Atomics.store(board, place, 1000 + threadId);
});
export const numberOfThread = job((_: undefined) => threadId);

function hold({ board, place }: Board): void {
  Atomics.store(board, place, 1);
  while (Atomics.load(board, place) === 1) Atomics.wait(board, place, 1, 5);
}
