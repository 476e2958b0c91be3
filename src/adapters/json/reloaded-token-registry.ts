import { stat } from 'node:fs/promises';
import type { Credential, TokenRegistry } from '../../application/index.js';
import type { Actor, TrustedIssuer } from '../../domain/index.js';
import { ConfigFileError } from '../../node/config-file.js';
import { FollowedFile } from './followed-file.js';
import { JsonTokenRegistry } from './json-token-registry.js';
import { readTokensFile } from './tokens-file.js';

export interface ReloadOptions {
  /** Receives each problem once, and what is good again. */
  readonly report: (level: 'info' | 'error', message: string, fields: object) => void;
  readonly pollMs?: number;
}

/** A token registry from a JSON file that is followed. A file that cannot be used changes nothing. */
export class ReloadedTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;
  private readonly followed: FollowedFile;

  private constructor(
    file: string,
    text: string,
    private current: JsonTokenRegistry,
    { report, pollMs }: ReloadOptions,
  ) {
    const use = {
      read: () => textOf(file),
      take: (changed: string) => {
        const before = this.current;
        this.current = JsonTokenRegistry.parse(changed);
        const what = difference(before.holders(), this.current.holders());
        report('info', 'the tokens file has changed, and was read again', { file, ...what });
      },
      failed: (error: unknown) => {
        const message = 'the tokens file cannot be used, so the tokens from before its change count';
        report('error', message, { file, reason: (error as Error).message });
      },
      recovered: () => report('info', 'the tokens file can be used again', { file }),
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
