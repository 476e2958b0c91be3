import { createHash } from 'node:crypto';

/**
 * SHA-256 of a secret's UTF-8 bytes. A slow hash is for passwords, which can be guessed: a secret of `lectern token`
 * has 256 random bits, so nobody finds it by trying, however fast that is, and each request is answered at once.
 */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}
