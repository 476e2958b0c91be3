/**
 * Queue whose keys, such as addresses, take turns: the items of a key come in the order in which they were added, and the
 * first item of a key waits for at most one item of every other key. Items are compared as a `Set` compares them.
 */
export class FairQueue<Item> {
  /** Waiting items by key. The key whose turn is next comes first. */
  private readonly lines = new Map<string, Set<Item>>();
  private count = 0;

  /** Number of items. */
  get size(): number {
    return this.count;
  }

  /** Number of a key's items. */
  sizeOf(key: string): number {
    return this.lines.get(key)?.size ?? 0;
  }

  /** Adds an item. An item that is in the queue keeps its place. */
  add(key: string, item: Item): void {
    const line = this.lines.get(key) ?? new Set();
    if (line.has(item)) return;
    this.lines.set(key, line.add(item));
    this.count += 1;
  }

  /**
   * Takes the first item of the key whose turn it is. Undefined: nothing waits, or nothing that may go.
   * @param mayGo whether a key's first item may be taken now; a key whose item may not keeps its turn
   */
  next(mayGo: (item: Item) => boolean = () => true): Item | undefined {
    for (const [key, line] of this.lines) {
      for (const item of line) {
        if (!mayGo(item)) break;
        this.lines.delete(key);
        line.delete(item);
        if (line.size > 0) this.lines.set(key, line);
        this.count -= 1;
        return item;
      }
    }
    return undefined;
  }

  /**
   * Makes room for an item of a key in a full line: takes out the last item of the key that has most. Undefined, and nothing
   * taken, where this key would have as many as any other.
   */
  makeRoomFor(key: string): Item | undefined {
    const [longest] = [...this.lines.values()].toSorted((a, b) => b.size - a.size);
    if (longest === undefined || longest.size <= this.sizeOf(key) + 1) return undefined;
    const last = [...longest].at(-1) as Item;
    this.remove(last);
    return last;
  }

  /** Takes an item out of the line, wherever it is. Returns whether it was there. */
  remove(item: Item): boolean {
    for (const [key, line] of this.lines) {
      if (!line.delete(item)) continue;
      if (line.size === 0) this.lines.delete(key);
      this.count -= 1;
      return true;
    }
    return false;
  }
}
