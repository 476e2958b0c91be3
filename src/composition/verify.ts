import type { VerifyRequest } from '../adapters/cli/index.js';
import type { Check } from '../application/index.js';
import { storagePlace } from './storage.js';

/** `lectern verify`: compares every version with its archive, and makes anew what differs if `repair` is set. */
export function verify({ storage, repair }: VerifyRequest): AsyncIterable<Check> {
  return storagePlace(storage).verify(repair);
}
