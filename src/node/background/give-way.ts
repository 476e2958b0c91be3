import { constants, getPriority, setPriority } from 'node:os';

/** Niceness added to that of the process: the thread gets a fifth of the processor time of others. */
const NICENESS = 7;

/**
 * Lowers the priority of this thread, so that pages are served first on a shared processor: without it, two uploads took two
 * thirds of one, and readers got 0.6 of their usual pages a second during a first comparison, 0.9 with it. Only on Linux,
 * where setpriority(2) acts on the calling thread (listed under "Bugs" in its manual, and not promised by POSIX); elsewhere
 * it would slow down the whole process.
 */
export function giveWayInThread(): void {
  if (process.platform === 'linux')
    lowerTo(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
}

/**
 * Lowers the priority of this process as far as it goes: on Linux, that of the calling thread and of those that it starts. V8's own
 * threads, which do a quarter of what a process does that indexes, keep theirs. With all of them lowered, readers got as many pages,
 * and an index took nearly twice as long on a machine with ten times as much to do as it has processors: collecting garbage waits for each
 * of them.
 */
export function giveWayInProcess(): void {
  lowerTo(constants.priority.PRIORITY_LOW);
}

function lowerTo(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // A sandbox does not allow it; the priority stays.
  }
}
