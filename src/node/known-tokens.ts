import { createHash, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../application/ports/token-registry.js';
import type { Actor } from '../domain/index.js';

/** A token whose secret is known by its digest alone. */
export interface KnownToken {
  readonly digest: Buffer;
  readonly actor: Actor;
}

/**
 * SHA-256 of a secret's UTF-8 bytes. A slow hash is for passwords, which can be guessed: a secret of `lectern token`
 * has 256 random bits, so nobody finds it by trying, however fast that is, and each request is answered at once.
 */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/**
 * Returns whose credential it is. Compares all tokens, by digests of one length, so that the time reveals nothing about a
 * secret.
 */
export function actorWith({ scheme, secret }: Credential, tokens: readonly KnownToken[]): Actor | undefined {
  if (scheme !== 'token') return undefined;
  const digest = digestOf(secret);
  return tokens.filter((token) => timingSafeEqual(token.digest, digest)).at(-1)?.actor;
}
