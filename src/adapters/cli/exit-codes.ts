import type { ClientFailure } from './docs-client.js';

/** What scripts can rely on. */
export const EXIT = {
  done: 0,
  /** The server said no, for a reason that has no code of its own here. */
  refused: 1,
  usage: 2,
  /** The server could not be asked, or not now: later may help. */
  unreachable: 3,
  exists: 4,
  /** No token, an unknown one, or one that may not do this. */
  notAllowed: 5,
  /** There is no such project or version. */
  notFound: 6,
} as const;

export function exitCodeOf({ problem, code, status }: ClientFailure): number {
  if (problem !== 'refused') return EXIT[problem];
  if (code === 'version_exists' || status === 409) return EXIT.exists;
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  return EXIT.refused;
}
