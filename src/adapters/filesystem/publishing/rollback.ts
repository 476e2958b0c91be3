/** Rollback of a change in several steps, and what follows once all of them are made. */
export class Rollback {
  private readonly backwards: (() => Promise<unknown>)[] = [];
  private readonly afterwards: (() => void)[] = [];

  /** @param removeLater gets the paths that the change has left over */
  constructor(private readonly removeLater: (path: string) => void) {}

  /** @param step takes back what is about to be tried; finds out by itself whether there is anything to do */
  onRollback(step: () => Promise<unknown>): void {
    this.backwards.push(step);
  }

  /** @param step follows once the change is made, and can't be taken back any more */
  onCommit(step: () => void): void {
    this.afterwards.push(step);
  }

  /** @param path nobody needs it any more once the change is made */
  discardLater(path: string): void {
    this.onCommit(() => this.removeLater(path));
  }

  /** Does the work; goes back, last step first, when it fails. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      for (const step of this.afterwards) step();
      return result;
    } catch (error) {
      await this.goBack();
      throw error;
    }
  }

  /** Stops at a step that cannot be taken back: those before it may rely on it. */
  private async goBack(): Promise<void> {
    for (let step = this.backwards.pop(); step !== undefined; step = this.backwards.pop()) {
      try {
        await step();
      } catch {
        return;
      }
    }
  }
}
