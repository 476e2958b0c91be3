export { type AccessConfig, accessOptions } from './access.js';
export { agentsOptions } from './agents/agents-options.js';
export { runCommandLine } from './command-line.js';
export type { CopyRequest } from './commands/local/copy.js';
export type { ImportRequest, VerifyRequest } from './commands/local/local-commands.js';
export type { ListedToken, TokensFile } from './commands/token-actions.js';
export { openLog } from './logger.js';
export { OptionReader } from './options/option-reader.js';
export { type FeatureOptions, readServeOptions, type ServeConfig } from './options/serve-options.js';
export {
  inheritedSocket,
  type Locations,
  type Place,
  type Scheme,
  type ServedLocations,
} from './options/serve-places.js';
export { runningVersion } from './package-version.js';
export { type DueRow, type PruneRequest, retentionOptions } from './retention/prune.js';
export { EXIT, naming, namingPath, reasonOf, StartError, startError } from './start-error.js';
export { type CountedLog, type CountLogsRequest, type UsagePlace, usageOptions } from './usage/count-logs.js';
