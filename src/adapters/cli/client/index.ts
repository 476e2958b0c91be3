export type { Answer, Project } from './answers.js';
export { identityOfJob, type JobIdentity, namesOfJob, sourceOfCiJob } from './ci-job.js';
export { ClientError, type ClientProblem, type Warning } from './client-error.js';
export type { ConnectionOptions } from './connection.js';
export type { Layout } from './foreign-layouts.js';
export { type Guess, type Guesses, guessVersion } from './guess.js';
export { type ImportStep, importSites } from './import-sites.js';
export { LecternClient, type Pushed, type SettingName } from './lectern-client.js';
export { ArchiveFile, type PackedSite, packSite } from './packing/pack-site.js';
