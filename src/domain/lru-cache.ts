/** Bytes that a text takes in memory, about: V8 has one byte for each character up to U+00FF, else two. */
export function bytesOfText(text: string): number {
  return 24 + text.length * (/[\u0100-\uffff]/.test(text) ? 2 : 1);
}

/** Bytes of an entry beside its key and its value, about. */
const ENTRY = 100;

/** Bytes of an entry whose value takes this many. */
export function bytesOfEntry(key: string, valueBytes: number): number {
  return ENTRY + bytesOfText(key) + valueBytes;
}

interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly weight: number;
  older: Entry<Value> | undefined;
  newer: Entry<Value> | undefined;
}

/** Cache of the values that were used last, up to a total weight. */
export class LruCache<Value> {
  /** Linked in the order of their last use: a Map that keeps this order looks long for its first key after many deletions. */
  private readonly entries = new Map<string, Entry<Value>>();
  private oldest: Entry<Value> | undefined;
  private newest: Entry<Value> | undefined;
  private weight = 0;

  /**
   * @param weightOf in the unit of `maxWeight`; 1 by default: for values and keys that are small, or all of one size
   * @param onDrop called with each value that leaves the cache, except one whose key gets another value
   */
  constructor(
    private readonly maxWeight: number,
    private readonly weightOf: (value: Value, key: string) => number = () => 1,
    private readonly onDrop: (value: Value, key: string) => void = () => {},
  ) {}

  get totalWeight(): number {
    return this.weight;
  }

  /** The keys, in no particular order. */
  keys(): string[] {
    return [...this.entries.keys()];
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry !== this.newest) {
      this.unlink(entry);
      this.append(entry);
    }
    return entry.value;
  }

  /** Keeps a value, unless it alone weighs too much. @returns the value */
  set(key: string, value: Value): Value {
    const weight = this.weightOf(value, key);
    if (weight > this.maxWeight) {
      this.delete(key);
      return value;
    }
    const before = this.entries.get(key);
    if (before !== undefined) this.remove(before);
    const entry: Entry<Value> = { key, value, weight, older: undefined, newer: undefined };
    this.entries.set(key, entry);
    this.append(entry);
    this.weight += weight;
    while (this.weight > this.maxWeight && this.oldest !== undefined) this.drop(this.oldest);
    return value;
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry !== undefined) this.drop(entry);
  }

  private drop(entry: Entry<Value>): void {
    this.remove(entry);
    this.onDrop(entry.value, entry.key);
  }

  private remove(entry: Entry<Value>): void {
    this.unlink(entry);
    this.entries.delete(entry.key);
    this.weight -= entry.weight;
  }

  private unlink({ older, newer }: Entry<Value>): void {
    if (older === undefined) this.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.newest = older;
    else newer.older = older;
  }

  private append(entry: Entry<Value>): void {
    entry.older = this.newest;
    entry.newer = undefined;
    if (this.newest === undefined) this.oldest = entry;
    else this.newest.newer = entry;
    this.newest = entry;
  }
}
