import { randomBytes } from 'node:crypto';

/** Returns a random secret: 256 bits, as base64url, which needs no quoting. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
