/** An error that ends a command: printed as one line on stderr. */
export class StartError extends Error {
  override readonly name = 'StartError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** A wrong usage or configuration, unless it says otherwise. */
    readonly exitCode: number = EXIT.usage,
  ) {
    super(message, options);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'address not available on this machine',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'not a directory',
  EISDIR: 'a directory, not a file',
  ENOENT: 'no such file or directory',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'not a directory',
  ENOTFOUND: 'no such host',
  EPERM: 'permission denied',
  EROFS: 'a read-only file system',
};

/** Returns an error about `what`, with words instead of an errno code. */
export function startError(what: string, error: unknown): StartError {
  return new StartError(`${what}: ${reasonOf(error)}`, { cause: error });
}

/** Waits for work on `what`. @throws StartError that names it when the work fails */
export async function naming<T>(what: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof StartError ? error : startError(what, error);
  });
}

/** Returns words instead of an errno code, or the message of an error without one. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}

/** Returns an error of the file system about a path as one that names the path; other errors as they are. */
export function namingPath(error: unknown): unknown {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === undefined || path === undefined ? error : startError(path, error);
}

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
  /** `push --strict-links`: there are new dead links, and nothing was published. `check`: there are dead links. */
  deadLinks: 8,
} as const;
