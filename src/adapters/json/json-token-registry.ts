import { timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, parseExpiry, type TokenGrants, tokenActor } from '../../domain/index.js';
import { digestOf } from './secret-digest.js';
import { parseTokensFile, type TokenEntry, TokensFileError } from './tokens-file.js';

/** Max. size of a tokens file, in bytes: enough for ten thousand tokens. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A token registry from a JSON file, read once: changes need a restart (interface section 5.1). */
export class JsonTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;

  private constructor(private readonly tokens: readonly { digest: Buffer; actor: Actor }[]) {}

  /** @throws TokensFileError; an error with an errno code when the file cannot be read */
  static async open(file: string): Promise<JsonTokenRegistry> {
    // Read as a stream: the file may be a pipe, whose size is unknown.
    const content = await buffer(createReadStream(file, { end: MAX_BYTES }));
    if (content.length > MAX_BYTES) throw new TokensFileError([`the file: larger than ${MAX_BYTES} bytes`]);
    return JsonTokenRegistry.parse(content.toString('utf8'));
  }

  /** @throws TokensFileError */
  static parse(text: string): JsonTokenRegistry {
    const tokens = [...parseTokensFile(text)].map(([name, entry]) => ({
      digest: entry.sha256 === undefined ? digestOf(entry.token ?? '') : Buffer.from(entry.sha256, 'hex'),
      actor: tokenActor(name, grantsOf(entry)),
    }));
    return new JsonTokenRegistry(tokens);
  }

  async authenticate({ secret }: Credential): Promise<Actor | undefined> {
    const digest = digestOf(secret);
    let found: Actor | undefined;
    // Compares all tokens, by digests of one length, so that the time reveals nothing about a secret.
    for (const token of this.tokens) {
      if (timingSafeEqual(token.digest, digest)) found = token.actor;
    }
    return found;
  }
}

function grantsOf(entry: TokenEntry): TokenGrants {
  const expiresAt = entry.expires === undefined ? undefined : parseExpiry(entry.expires);
  return {
    ...(entry.projects === undefined ? {} : { projects: entry.projects }),
    ...(entry.read === undefined ? {} : { read: entry.read }),
    allowOverwrite: entry.allow_overwrite === true,
    allowDelete: entry.allow_delete === true,
    existingProjectsOnly: entry.existing_projects_only === true,
    allowManage: entry.allow_manage === true,
    previewsOnly: entry.previews_only === true,
    allowTokens: entry.allow_tokens === true,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
