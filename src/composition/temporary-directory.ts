import { tmpdir } from 'node:os';
import { startError } from '../adapters/cli/index.js';
import { temporaryDirectory } from '../adapters/filesystem/index.js';

/**
 * Makes a temporary directory for a command, which removes it at its end. The next command removes what killed ones left.
 * @throws StartError when it cannot be made
 */
export function temporaryDirectoryOfCommand(): string {
  try {
    return temporaryDirectory(tmpdir());
  } catch (error) {
    throw startError(`the temporary directory ${tmpdir()}`, error);
  }
}
