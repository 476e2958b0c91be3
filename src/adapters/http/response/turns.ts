/**
 * A line for making texts that take long to make, such as the results of a search among thousands of projects: one is made
 * in each turn of the event loop. Whoever asks for something else waits for one of them at most, however many are asked for.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Waits until those before have been made, and what arrived meanwhile was answered. What follows at once is the turn. */
  next(): Promise<void> {
    this.last = this.last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.last;
  }
}
