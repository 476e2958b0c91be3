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
 * An optional feature: all that the rest of the program has of it. Its parts are in a folder of its name in each layer, or in a file
 * where it has only one there; they are loaded when they are used.
 */
export interface Feature {
  /** Options of `lectern serve`. */
  readonly options?: Pick<FeatureOptions<never, object>, 'table'>;
  /** Operations of the API, pages, and tools for coding agents. */
  readonly http?: () => Promise<HttpFeature>;
  /** Tasks that a server repeats. */
  readonly chores?: (parts: ChoreParts) => readonly Chore[];
}
