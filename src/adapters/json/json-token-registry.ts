import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, jobActor, type TrustedIssuer, tokenActor } from '../../domain/index.js';
import { grantsOf } from '../../formats/api/token-fields.js';
import { actorWith, digestOf, type KnownToken } from '../../node/known-tokens.js';
import { parseTokensFile, readTokensFile } from './tokens-file.js';

/** A token registry from a JSON file, read once (interface section 5.1). */
export class JsonTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;

  private constructor(
    private readonly tokens: readonly KnownToken[],
    /** The entries of `trusted_issuers`: this registry knows no jobs itself. */
    readonly issuers: readonly TrustedIssuer[],
  ) {}

  /** @throws ConfigFileError; an error with an errno code when the file cannot be read */
  static async open(file: string): Promise<JsonTokenRegistry> {
    return JsonTokenRegistry.parse(await readTokensFile(file));
  }

  /** @throws ConfigFileError */
  static parse(text: string): JsonTokenRegistry {
    const file = parseTokensFile(text);
    const tokens = [...file.tokens].map(([name, entry]) => ({
      digest: entry.sha256 === undefined ? digestOf(entry.token ?? '') : Buffer.from(entry.sha256, 'hex'),
      actor: tokenActor(name, grantsOf(entry)),
    }));
    return new JsonTokenRegistry(tokens, file.issuers);
  }

  async authenticate(credential: Credential): Promise<Actor | undefined> {
    return actorWith(credential, this.tokens);
  }

  holders(): readonly Actor[] {
    const jobs = this.issuers.map(({ name, grants }) => jobActor(name, '', grants));
    return [...this.tokens.map(({ actor }) => actor), ...jobs];
  }
}
