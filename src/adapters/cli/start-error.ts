import { EXIT } from './exit-codes.js';

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
  EADDRINUSE: 'the address is already in use',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EEXIST: 'not a directory',
  EISDIR: 'a directory, not a file',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  ENOTFOUND: 'no such host',
  EPERM: 'permission denied',
  EROFS: 'a read-only file system',
};

/** Returns an error about `what`, with words instead of an errno code. */
export function startError(what: string, error: unknown): StartError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new StartError(`${what}: ${REASONS[code ?? ''] ?? message}`, { cause: error });
}
