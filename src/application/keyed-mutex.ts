/** Queues work by key: work on one key is sequential, work on different keys concurrent. */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** @param keyOf maps a name to the key of its queue; by default the name itself */
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
