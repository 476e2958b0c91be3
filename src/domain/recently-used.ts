/** Cache of the values that were used last, up to a total weight. */
export class RecentlyUsed<Value> {
  /** The value used last stands at the end. */
  private readonly values = new Map<string, Value>();
  private weight = 0;

  constructor(
    private readonly maxWeight: number,
    private readonly weightOf: (value: Value) => number = () => 1,
  ) {}

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  /** Keeps a value, unless it alone weighs too much. @returns the value */
  set(key: string, value: Value): Value {
    this.delete(key);
    const weight = this.weightOf(value);
    if (weight > this.maxWeight) return value;
    this.values.set(key, value);
    this.weight += weight;
    for (const oldest of this.values.keys()) {
      if (this.weight <= this.maxWeight) break;
      this.delete(oldest);
    }
    return value;
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.weight -= this.weightOf(value);
    this.values.delete(key);
  }
}
