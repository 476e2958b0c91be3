export { FilesystemDocStore, type FilesystemOptions } from './filesystem-doc-store.js';
export { type VerifyOptions, verifyDocs } from './housekeeping/verification.js';
export type { Report } from './report.js';
export { temporaryDirectory } from './temporary-directory.js';
export { FilesystemUsageStore } from './usage/filesystem-usage-store.js';
