import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TokenRegistry } from '../../application/index.js';
import { type TokenGrants, TokenPolicy } from '../../domain/index.js';
import { parseTokensFile, type TokenEntry } from './tokens-file.js';

/** Tokens from a JSON file, read once: a changed file counts after a restart (interface section 5.1). */
export class JsonTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;

  private constructor(private readonly tokens: readonly { digest: Buffer; policy: TokenPolicy }[]) {}

  /** @throws TokensFileError; an error with an errno code when the file cannot be read */
  static async open(file: string): Promise<JsonTokenRegistry> {
    return JsonTokenRegistry.parse(await readFile(file, 'utf8'));
  }

  /** @throws TokensFileError */
  static parse(text: string): JsonTokenRegistry {
    const tokens = [...parseTokensFile(text)].map(([name, entry]) => ({
      digest: digestOf(entry.token),
      policy: new TokenPolicy(name, grantsOf(entry)),
    }));
    return new JsonTokenRegistry(tokens);
  }

  find(secret: string): TokenPolicy | undefined {
    const digest = digestOf(secret);
    let found: TokenPolicy | undefined;
    // Over all tokens, and over digests of one length: the time tells nothing about any secret.
    for (const token of this.tokens) {
      if (timingSafeEqual(token.digest, digest)) found = token.policy;
    }
    return found;
  }
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

function grantsOf(entry: TokenEntry): TokenGrants {
  return {
    ...(entry.projects === undefined ? {} : { projects: entry.projects }),
    allowOverwrite: entry.allow_overwrite === true,
    allowDelete: entry.allow_delete === true,
    existingProjectsOnly: entry.existing_projects_only === true,
  };
}
