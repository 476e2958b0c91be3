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

/** Cache of the values that were used last, up to a total weight. */
export class LruCache<Value> {
  /** The value used last stands at the end. */
  private readonly entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  private weight = 0;

  /** @param weightOf in the unit of `maxWeight`; 1 by default: for values and keys that are small, or all of one size */
  constructor(
    private readonly maxWeight: number,
    private readonly weightOf: (value: Value, key: string) => number = () => 1,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value, unless it alone weighs too much. @returns the value */
  set(key: string, value: Value): Value {
    this.delete(key);
    const weight = this.weightOf(value, key);
    if (weight > this.maxWeight) return value;
    this.entries.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.maxWeight) break;
      this.delete(oldest);
    }
    return value;
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.weight -= entry.weight;
    this.entries.delete(key);
  }
}
