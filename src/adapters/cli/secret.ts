import { randomBytes } from 'node:crypto';

/** A secret that nobody guesses: 256 random bits, in characters that need no quoting anywhere. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}
