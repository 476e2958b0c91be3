export { type AppParts, createApp } from './app.js';
export { LecternServer, type Patience } from './lectern-server.js';
export type { Pages } from './pages.js';
export type { Logger } from './request-log.js';
export { DEFAULT_MOST_UPLOADS, UploadGate } from './upload-gate.js';
