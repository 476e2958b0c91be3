import type { Answer } from '../../client/index.js';
import type { NewToken } from './new-token.js';

/** A token as `lectern token list` shows it. */
export type ListedToken = Answer<'TokenInfo'> & {
  readonly description?: string | undefined;
  /** Day of the last use; servers know it of tokens that were made there. */
  readonly last_used?: string | undefined;
};

/** Tokens in a place: a tokens file, or those that a token has made on a server. Each change is whole or not made. */
export interface Tokens {
  list(): Promise<readonly ListedToken[]>;
  /** @returns the secret, and a sentence about it @throws StartError or ClientError, also when the name is taken */
  add(name: string, token: NewToken): Promise<{ readonly secret: string; readonly note: string }>;
  /** @returns a sentence @throws StartError or ClientError, also when there is no such name */
  revoke(name: string): Promise<string>;
}

/** The tokens file on this machine. */
export interface TokensFile {
  list(): Promise<readonly ListedToken[]>;
  /** @throws StartError when there is such a name */
  add(name: string, token: NewToken, sha256: string): Promise<void>;
  /** @throws StartError when there is no such name */
  revoke(name: string): Promise<void>;
}
