/** Undo steps of a change in several steps, and actions to run once it has succeeded. */
export class Rollback {
  private readonly undoSteps: (() => Promise<unknown>)[] = [];
  private readonly commitSteps: (() => void)[] = [];

  /** @param removeLater receives the paths that the change leaves unused */
  constructor(private readonly removeLater: (path: string) => void) {}

  /** @param step undoes the next step of the change; must check whether that step was made */
  onRollback(step: () => Promise<unknown>): void {
    this.undoSteps.push(step);
  }

  /** @param step runs once the change has succeeded */
  onCommit(step: () => void): void {
    this.commitSteps.push(step);
  }

  /** @param path unused once the change has succeeded */
  discardLater(path: string): void {
    this.onCommit(() => this.removeLater(path));
  }

  /** Runs the work; on failure runs the undo steps, last one first. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      for (const step of this.commitSteps) step();
      return result;
    } catch (error) {
      await this.undo();
      throw error;
    }
  }

  /** Stops at a step that cannot be undone: earlier ones may rely on it. */
  private async undo(): Promise<void> {
    for (let step = this.undoSteps.pop(); step !== undefined; step = this.undoSteps.pop()) {
      try {
        await step();
      } catch {
        return;
      }
    }
  }
}
