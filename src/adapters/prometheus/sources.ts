import type { SearchIndexStatus, ServerStatus } from '../../application/index.js';

/** Sources of the metrics that are read at each scrape. */
export interface Sources {
  /** Version of Lectern. */
  readonly version: string;
  status(): ServerStatus;
  /** Returns the numbers of projects and versions; rejects when they cannot be read. */
  stored(): Promise<{ readonly projects: number; readonly versions: number }>;
  /** Returns the number of dead links of checked latest versions that everybody may read; undefined where links are not checked. */
  deadLinks(): Promise<number | undefined>;
  /** Status of the tokens. */
  tokens(): TokensStatus;
  /** Returns the free disk space in bytes; undefined when it is unknown. */
  freeBytes(): Promise<number | undefined>;
  /** Status of the object store, if there is one. */
  readonly store?: (() => Promise<StoreStatus | undefined>) | undefined;
  /** Status of what the server removes by itself; undefined while it removes nothing. */
  readonly housekeeping?: (() => Promise<HousekeepingStatus | undefined>) | undefined;
  /** Status of the search index, unless search is off. */
  readonly search?: (() => Promise<SearchIndexStatus | undefined>) | undefined;
}

/** Status of the removals that a server makes by itself. */
interface HousekeepingStatus {
  readonly isClockDoubtful: boolean;
  /** Number of things that could go, and were too many for one round. */
  readonly waiting: number;
}

/** Status of the tokens of the tokens file. */
export interface TokensStatus {
  /** Names of the tokens, and of the entries of `trusted_issuers`. */
  readonly names: readonly string[];
  /** Number of tokens that expire within 14 days. */
  readonly soon: number;
  /** Number of tokens that have expired. */
  readonly expired: number;
  /** Whether the tokens file has changed and cannot be used. */
  readonly isStale: boolean;
}

/** This node's view of an object store. */
export interface StoreStatus {
  readonly isReachable: boolean;
  /** Number of the last commit that this node knows. */
  readonly commit: number;
  readonly cache: { readonly bytes: number; readonly hits: number; readonly misses: number };
}
