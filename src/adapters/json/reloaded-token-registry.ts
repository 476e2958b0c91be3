import { stat } from 'node:fs/promises';
import type { Credential, TokenRegistry } from '../../application/index.js';
import type { Actor, TrustedIssuer } from '../../domain/index.js';
import { JsonTokenRegistry } from './json-token-registry.js';
import { readTokensFile, TokensFileError } from './tokens-file.js';

/** Interval between two looks at the file, in milliseconds: a revoked token is refused within two seconds. */
const POLL_MS = 1_000;

export interface ReloadOptions {
  /** Receives each problem once, and what is good again. */
  readonly report: (level: 'info' | 'error', message: string, fields: object) => void;
  readonly pollMs?: number;
}

/**
 * A token registry from a JSON file that is read again and again. Reads its content each time, and compares that: this
 * also finds a link that leads to another file, as in a volume of Kubernetes, whatever the times of the files say.
 * A file that cannot be used changes nothing.
 */
export class ReloadedTokenRegistry implements TokenRegistry {
  readonly isConfigured = true;
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> = Promise.resolve();
  private isClosed = false;
  private trouble: string | undefined;

  private constructor(
    private readonly file: string,
    private text: string,
    private current: JsonTokenRegistry,
    private readonly options: ReloadOptions,
  ) {
    this.schedule();
  }

  /** @throws TokensFileError; an error with an errno code when the file cannot be read */
  static async open(file: string, options: ReloadOptions): Promise<ReloadedTokenRegistry> {
    const text = await textOf(file);
    return new ReloadedTokenRegistry(file, text, JsonTokenRegistry.parse(text), options);
  }

  /** Why the file cannot be used now, while the tokens before it count; undefined when it can. */
  get problem(): string | undefined {
    return this.trouble;
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
    this.reading = this.reading.then(() => this.readAgain());
    return this.reading;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.reading;
  }

  private schedule(): void {
    if (this.isClosed) return;
    const { pollMs = POLL_MS } = this.options;
    this.timer = setTimeout(() => void this.reload().then(() => this.schedule()), pollMs).unref();
  }

  private async readAgain(): Promise<void> {
    const { file } = this;
    try {
      const text = await textOf(file);
      if (text !== this.text) {
        const before = this.current;
        this.current = JsonTokenRegistry.parse(text);
        this.text = text;
        this.options.report('info', 'the tokens file has changed and counts', {
          file,
          ...difference(before.holders(), this.current.holders()),
        });
      } else if (this.trouble !== undefined) {
        this.options.report('info', 'the tokens file can be used again', { file });
      }
      this.trouble = undefined;
    } catch (err) {
      const reason = (err as Error).message;
      if (reason === this.trouble) return;
      this.trouble = reason;
      const message = 'the tokens file cannot be used, so the tokens from before its change count';
      this.options.report('error', message, { file, reason });
    }
  }
}

/** A pipe would be waited for, and has its content once. */
async function textOf(file: string): Promise<string> {
  if ((await stat(file)).isFile()) return readTokensFile(file);
  throw new TokensFileError(['the file: not a regular file, so it cannot be read again']);
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
