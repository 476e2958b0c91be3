import { packageVersion } from '../adapters/cli/index.js';
import {
  ArchiveFile,
  type ConnectionOptions,
  guessVersion,
  LecternClient,
  packSite,
} from '../adapters/client/index.js';

/** The parts of the commands that call a server. */
export const client = {
  connect: (settings: ConnectionOptions) =>
    new LecternClient({ ...settings, userAgent: `lectern/${packageVersion()}` }),
  openArchive: (path: string) => ArchiveFile.open(path),
  packSite,
  guess: guessVersion,
};
