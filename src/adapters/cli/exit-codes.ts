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
