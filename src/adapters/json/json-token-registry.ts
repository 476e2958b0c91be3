import { stat } from 'node:fs/promises';
import type { Credential, TokenRegistry } from '../../application/index.js';
import { type Actor, jobActor, type TrustedIssuer, tokenActor } from '../../domain/index.js';
import { grantsOf } from '../../formats/api/token-fields.js';
import { ConfigFileError } from '../../node/config-file.js';
import { actorWith, digestOf, type KnownToken } from '../../node/known-tokens.js';
import { FollowedFile } from './followed-file.js';
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

interface ReloadOptions {
  /** Receives each problem once, and what is good again. */
  readonly report: (level: 'info' | 'error', message: string, fields: object) => void;
  readonly pollMs?: number;
  /** Called with the entries of `trusted_issuers` before they count. When it throws, the file cannot be used. */
  readonly accept?: (issuers: readonly TrustedIssuer[]) => void;
}

/** A token registry from a JSON file that is followed. A file that cannot be used changes nothing. */
export class ReloadedTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;
  private readonly followed: FollowedFile;

  private constructor(
    file: string,
    text: string,
    private current: JsonTokenRegistry,
    { report, pollMs, accept }: ReloadOptions,
  ) {
    const use = {
      read: () => textOf(file),
      take: (changed: string) => {
        const before = this.current;
        const next = JsonTokenRegistry.parse(changed);
        accept?.(next.issuers);
        this.current = next;
        const what = difference(before.holders(), this.current.holders());
        report('info', 'reloaded the tokens file', { file, ...what });
      },
      failed: (error: unknown) => {
        const message = 'cannot use the changed tokens file; keeping the previous tokens';
        report('error', message, { file, reason: (error as Error).message });
      },
      recovered: () => report('info', 'the tokens file is valid again', { file }),
    };
    this.followed = new FollowedFile(text, use, pollMs);
    this.followed.follow();
  }

  /** @throws ConfigFileError; an error with an errno code when the file cannot be read */
  static async open(file: string, options: ReloadOptions): Promise<ReloadedTokenRegistry> {
    const text = await textOf(file);
    return new ReloadedTokenRegistry(file, text, JsonTokenRegistry.parse(text), options);
  }

  /** Why the file cannot be used now, while the tokens before it count; undefined when it can. */
  get problem(): string | undefined {
    return this.followed.problem;
  }

  authenticate(credential: Credential): Promise<Actor | undefined> {
    return this.current.authenticate(credential);
  }

  holders(): readonly Actor[] {
    return this.current.holders();
  }

  get issuers(): readonly TrustedIssuer[] {
    return this.current.issuers;
  }

  /** Takes in the file as it is now. Never fails. */
  reload(): Promise<void> {
    return this.followed.look();
  }

  close(): Promise<void> {
    return this.followed.close();
  }
}

/** A pipe would be waited for, and has its content once. */
async function textOf(file: string): Promise<string> {
  if ((await stat(file)).isFile()) return readTokensFile(file);
  throw new ConfigFileError(['the file: not a regular file, so it cannot be read again']);
}

/** Names of tokens that came, went, or have other rights; one with another secret only is in neither. */
function difference(before: readonly Actor[], after: readonly Actor[]) {
  const rights = (holders: readonly Actor[]) =>
    new Map(holders.map(({ name, policy }) => [name, JSON.stringify(policy.grants)]));
  const [old, now] = [rights(before), rights(after)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, each]) => old.has(name) && old.get(name) !== each).map(([name]) => name),
  };
}
