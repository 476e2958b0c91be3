export { FilesystemDocStore } from './filesystem-doc-store.js';
export { FilesystemUsageStore } from './filesystem-usage-store.js';
export { verifyDocs } from './housekeeping/verification.js';
export type { Report } from './report.js';
export { temporaryDirectory } from './temporary-directory.js';
export type { FilesystemOptions } from './tools.js';
