import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Niceness added to that of the process: the thread gets a fifth of the processor time of others. */
const NICENESS = 7;
/** The calling thread on Linux, where setpriority(2) is of a thread (see "Bugs" in its manual); the whole process elsewhere. */
const SELF = 0;

/**
 * Lowers the priority of this thread, so that pages are served first on a shared processor: without it, two uploads took two
 * thirds of one, and readers got 0.6 of their usual pages a second during a first comparison, 0.9 with it. Only on Linux:
 * elsewhere it would slow down the whole process.
 */
export function giveWayInThread(): void {
  if (process.platform === 'linux')
    lowerTo(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW), SELF);
}

/** Lowers the priority of this process as far as it goes: others wait for nothing that it does. */
export function giveWayInProcess(): void {
  for (const thread of threadsOfProcess()) lowerTo(constants.priority.PRIORITY_LOW, thread);
}

/** On Linux, all that there are: V8 has its own by now, which do a quarter of what a process that indexes does. */
function threadsOfProcess(): readonly number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [SELF];
  }
}

function lowerTo(priority: number, thread: number): void {
  try {
    setPriority(thread, priority);
  } catch {
    // A sandbox does not allow it, or the thread has ended.
  }
}
