/** Undo steps of a change: pushed before each step of it, so each must check whether that step was made. */
export type UndoSteps = (() => Promise<unknown>)[];

/**
 * Runs a change; on failure runs its undo steps, last one first. Stops at one that fails: earlier ones may rely on it.
 */
export async function withRollback<T>(work: (undo: UndoSteps) => Promise<T>): Promise<T> {
  const undo: UndoSteps = [];
  try {
    return await work(undo);
  } catch (error) {
    try {
      for (const step of undo.reverse()) await step();
    } catch {
      // The error of the change matters more.
    }
    throw error;
  }
}
