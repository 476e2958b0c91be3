import type { Cached, ResponseCache } from '../response/response-cache.js';
import type { KeptResponse } from './kept-response.js';

/** Max. addresses of one response: rules and percent-encoding give a page endlessly many. */
const MAX_ADDRESSES = 4;

/** Responses by the addresses at which they were asked for. Each counts once in the cache, whatever the number of these. */
export class KeptResponses {
  /** Keys of the cache, by address. */
  private readonly keys = new Map<string, string>();

  constructor(private readonly cache: ResponseCache) {}

  get(address: string): KeptResponse | undefined {
    const key = this.keys.get(address);
    const cached = key === undefined ? undefined : this.cache.get(key);
    return cached instanceof Entry ? cached.response : undefined;
  }

  /** @param key the same for all addresses of a response; the newest of them are kept */
  keep(address: string, key: string, response: KeptResponse): void {
    const before = this.cache.get(key);
    const known = before instanceof Entry ? before : new Entry(response, [], this.keys);
    if (known.addresses.includes(address)) return;
    const addresses = [...known.addresses, address].slice(-MAX_ADDRESSES);
    // With the addresses of the entry before.
    this.cache.delete(key);
    this.cache.set(key, new Entry(known.response, addresses, this.keys));
    if (this.cache.get(key) !== undefined) for (const each of addresses) this.keys.set(each, key);
  }
}

class Entry implements Cached {
  readonly maxBytes: number;

  constructor(
    readonly response: KeptResponse,
    readonly addresses: readonly string[],
    private readonly keys: Map<string, string>,
  ) {
    this.maxBytes = response.bytes + addresses.join('').length;
  }

  dropped(): void {
    for (const address of this.addresses) this.keys.delete(address);
  }
}
