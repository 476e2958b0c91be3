import type { FeatureOptions } from '../adapters/cli/index.js';
import type { HttpFeature, Logger } from '../adapters/http/index.js';
import type { Upkeep, UseCases } from '../application/index.js';
import type { Chore } from './housekeeping.js';

/** The parts of an open server that chores use. */
export interface ChoreParts {
  readonly useCases: Pick<UseCases, 'expirePreviews' | 'applyRetention' | 'countReads'>;
  readonly docs: Pick<Upkeep, 'clearUp'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** How `lectern prune` is called for this server, where it can be. */
  readonly prune: string | undefined;
  /** Whether the server removes anything: one without tokens only reads. */
  readonly mayRemove: boolean;
}

/**
 * An optional feature, as the rest of the program uses it. Each layer has the feature's parts in a folder of its name, or in a
 * file if there is only one; they are loaded when they are used.
 */
export interface Feature {
  /** Options of `lectern serve`. */
  readonly options?: Pick<FeatureOptions<never, object>, 'table'>;
  /** Operations of the API, pages, and tools for coding agents. */
  readonly http?: () => Promise<HttpFeature>;
  /** Tasks that a server repeats. */
  readonly chores?: (parts: ChoreParts) => readonly Chore[];
}
