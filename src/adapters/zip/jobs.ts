import type { UnpackedSite, UnpackRequest } from '../../application/ports/archives.js';
import { errorOf, type Failure } from './failure.js';

/** What a worker is asked to do. */
export type Job =
  | { readonly kind: 'unpack'; readonly request: UnpackRequest }
  | { readonly kind: 'pack'; readonly siteDirectory: string; readonly archiveFile: string }
  | {
      readonly kind: 'verify';
      readonly archiveFile: string;
      readonly siteDirectory: string;
      readonly most: number;
    }
  | { readonly kind: 'remove'; readonly directory: string };

/** What each kind of job gives. */
export interface Results {
  unpack: UnpackedSite;
  pack: undefined;
  verify: readonly string[];
  remove: undefined;
}

export type Result = Results[Job['kind']];

/** What it answers. */
export type Outcome = { readonly result: Result } | Failure;

/** @throws what the worker threw, as the same kind of error. */
export function resultOf(outcome: Outcome): Result {
  if ('result' in outcome) return outcome.result;
  throw errorOf(outcome);
}
