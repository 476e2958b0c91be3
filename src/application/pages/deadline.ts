import { nextTurn } from '../next-turn.js';

/** Says whether a work has taken the time that it may take. */
export interface Deadline {
  readonly isOver: boolean;
}

/** A measure of Node's, which the type of the global object leaves out: time for which this thread has been at work. */
interface Thread {
  eventLoopUtilization(since?: object): { readonly active: number };
}

/**
 * Starts a deadline in the time for which this thread is at work, for whomever: waiting for a disk or a network holds up
 * nobody, so it does not count. Nor does waiting for a processor that is busy with other programs.
 */
export function workOf(milliseconds: number): Deadline {
  const thread = performance as unknown as Thread;
  const start = thread.eventLoopUtilization();
  const cpu = process.cpuUsage();
  return {
    get isOver() {
      if (thread.eventLoopUtilization(start).active < milliseconds) return false;
      // Of all threads: what this one has worked is not more.
      const { user, system } = process.cpuUsage(cpu);
      return (user + system) / 1_000 >= milliseconds;
    },
  };
}

/**
 * Takes a work's steps until there are no more or the deadline is over, and lets others have their turn after each.
 * @returns the result of the last step; `none` when there is no step
 */
export async function inTurns<T>(steps: Iterable<T>, deadline: Deadline, none: T): Promise<T> {
  let result = none;
  for (const step of steps) {
    result = step;
    if (deadline.isOver) break;
    await nextTurn();
  }
  return result;
}
