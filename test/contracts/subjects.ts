import type { DocStore, TokenRegistry } from '../../src/application/index.js';
import type { TokenGrants } from '../../src/domain/index.js';

/** Time for which a store under test keeps what is removed, in milliseconds: longer than any test. */
export const KEEP_REMOVED_MS = 3_600_000;

/** A store under test, and the data that it is opened on. */
export interface DocStoreSubject {
  /** Empty at first. It keeps what is removed for `KEEP_REMOVED_MS`. */
  readonly store: DocStore;
  /** Whether nothing speaks against any clock, since the store lives in one process. @default false */
  readonly believesEveryClock?: boolean;
  /** Directory that holds one entry for each staging, and nothing else. Without it, what is left of stagings is not looked at. */
  readonly stagings?: string;
  /** Opens another store over the same data; returns the same one when the data live in it. */
  another(): Promise<DocStore>;
  /** Called after each test: closes all stores, and removes the data. */
  dispose(): Promise<void>;
}

/** Tokens that a registry under test is to know. */
export type RegisteredTokens = readonly (TokenGrants & { readonly name: string; readonly secret: string })[];

/** Makes a registry that knows these tokens. */
export type MakeTokenRegistry = (tokens: RegisteredTokens) => TokenRegistry | Promise<TokenRegistry>;
