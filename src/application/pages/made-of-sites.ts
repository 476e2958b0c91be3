import { LruCache, type Version } from '../../domain/index.js';

/**
 * Cache of what is made from the files of versions: once for each publication, and for all who wait. The least recently used is
 * forgotten first.
 */
export class MadeOfSites<Value> {
  private readonly kept: LruCache<Value>;
  private readonly making = new Map<string, Promise<Value>>();

  /** @param weightOf weight of a value; more than `maxWeight` for one that is not to be kept */
  constructor(maxWeight: number, weightOf: (value: Value) => number) {
    this.kept = new LruCache(maxWeight, weightOf);
  }

  /** @param part of the site that `make` looks at */
  async get({ revision, origin }: Version, part: string, make: () => Promise<Value>): Promise<Value> {
    const key = `${revision} ${part}`;
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const making = this.making.get(key) ?? make().finally(() => this.making.delete(key));
    this.making.set(key, making);
    const value = await making;
    // Files of a copied-in directory may change at any time.
    return origin === 'copied' ? value : this.kept.set(key, value);
  }

  /** Keeps a value that was made elsewhere, whoever makes it now. */
  keep({ revision, origin }: Version, part: string, value: Value): void {
    if (origin !== 'copied') this.kept.set(`${revision} ${part}`, value);
  }
}
