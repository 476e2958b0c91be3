/** Runs work on the same key one after the other, and work on different keys side by side. */
export class Serial {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** @param keyOf what names that queue together have in common; by default only the same name does */
  constructor(readonly keyOf: (name: string) => string = (name) => name) {}

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = this.keyOf(name);
    const before = this.tails.get(key);
    const result = before === undefined ? work() : before.then(work, work);
    this.tails.set(key, result);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === result) this.tails.delete(key);
    }
  }
}
