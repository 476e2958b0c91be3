// Names of the package's entry point `lectern/client`.
export {
  type Answer,
  ArchiveFile,
  ClientError,
  type ClientProblem,
  type ConnectionOptions,
  type Guesses,
  guessVersion,
  identityOfJob,
  type JobIdentity,
  LecternClient,
  type PackedSite,
  type Pushed,
  packSite,
  type Warning,
} from '../adapters/cli/client/index.js';
export type { PushedArchive, PushOptions } from '../adapters/cli/client/lectern-client.js';
