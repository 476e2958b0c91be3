export type {
  FoundPages,
  Project,
  ProjectList,
  TokenInfo,
  UploadResult,
  UsageInfo,
  VersionInfo,
} from './answers.js';
export { ClientError, type ClientProblem } from './client-error.js';
export type { ConnectionOptions } from './connection.js';
export type { Layout } from './foreign-layouts.js';
export { type Guess, type Guesses, guessVersion } from './guess.js';
export { type ImportStep, type ImportTarget, importSites } from './import-sites.js';
export { type JobNames, namesOfJob } from './job.js';
export { identityOfJob, type JobIdentity } from './job-identity.js';
export { LecternClient, type Pushed, type SettingName } from './lectern-client.js';
export { ArchiveFile } from './packing/archive-file.js';
export { type PackedSite, packSite } from './packing/pack-site.js';
