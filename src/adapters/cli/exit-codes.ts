import type { ClientError } from './client/client-error.js';

/** Exit codes, stable for scripts. */
export const EXIT = {
  done: 0,
  /** The server refused, for a reason without a code of its own here. */
  refused: 1,
  usage: 2,
  /** The server could not be reached, or is unavailable: retry later. */
  unreachable: 3,
  exists: 4,
  /** The token is missing, unknown, or lacks the right. */
  notAllowed: 5,
  /** There is no such project, version or preview. */
  notFound: 6,
  /** `push --strict`: there are warnings about the site, and nothing was published. */
  warnings: 7,
} as const;

export function exitCodeOf({ problem, code, status }: ClientError): number {
  if (problem !== 'refused') return EXIT[problem];
  // Other servers give no code.
  if (code === 'version_exists' || (status === 409 && code !== 'name_taken')) return EXIT.exists;
  if (code === 'site_has_warnings') return EXIT.warnings;
  if (status === 401 || status === 403) return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  return EXIT.refused;
}
