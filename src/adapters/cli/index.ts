export { type Actions, runCommandLine } from './command-line.js';
export type { CopyRequest, Place } from './copy.js';
export type { ImportRequest } from './import.js';
export { inheritedSocket } from './inherited-socket.js';
export { type Log, openLog } from './logger.js';
export { packageVersion, runningVersion } from './package-version.js';
export type { ServeConfig, Storage } from './serve-options.js';
export { StartError, startError } from './start-error.js';
export type { Checked, VerifyRequest } from './verify.js';
