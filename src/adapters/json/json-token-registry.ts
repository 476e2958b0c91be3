import { timingSafeEqual } from 'node:crypto';
import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, jobActor, type TrustedIssuer, tokenActor } from '../../domain/index.js';
import { grantsOf } from '../../formats/api/token-fields.js';
import { digestOf } from './secret-digest.js';
import { parseTokensFile, readTokensFile } from './tokens-file.js';

/** A token registry from a JSON file, read once (interface section 5.1). */
export class JsonTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;

  private constructor(
    private readonly tokens: readonly { digest: Buffer; actor: Actor }[],
    /** The entries of `trusted_issuers`: this registry knows no jobs itself. */
    readonly issuers: readonly TrustedIssuer[],
  ) {}

  /** @throws TokensFileError; an error with an errno code when the file cannot be read */
  static async open(file: string): Promise<JsonTokenRegistry> {
    return JsonTokenRegistry.parse(await readTokensFile(file));
  }

  /** @throws TokensFileError */
  static parse(text: string): JsonTokenRegistry {
    const file = parseTokensFile(text);
    const tokens = [...file.tokens].map(([name, entry]) => ({
      digest: entry.sha256 === undefined ? digestOf(entry.token ?? '') : Buffer.from(entry.sha256, 'hex'),
      actor: tokenActor(name, grantsOf(entry)),
    }));
    return new JsonTokenRegistry(tokens, file.issuers);
  }

  async authenticate({ scheme, secret }: Credential): Promise<Actor | undefined> {
    if (scheme !== 'token') return undefined;
    const digest = digestOf(secret);
    let found: Actor | undefined;
    // Compares all tokens, by digests of one length, so that the time reveals nothing about a secret.
    for (const token of this.tokens) {
      if (timingSafeEqual(token.digest, digest)) found = token.actor;
    }
    return found;
  }

  holders(): readonly Actor[] {
    const jobs = this.issuers.map(({ name, grants }) => jobActor(name, '', grants));
    return [...this.tokens.map(({ actor }) => actor), ...jobs];
  }
}
