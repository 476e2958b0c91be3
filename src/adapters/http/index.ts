export { type AppParts, createApp, withPageCache } from './app.js';
export { LecternServer, type Patience } from './lectern-server.js';
export { DEFAULT_CACHE_BYTES, PageCache } from './page-cache.js';
export type { Pages } from './pages.js';
export { PublicAddress } from './public-address.js';
export { type Logger, RequestLog } from './request-log.js';
export { SwitcherTag } from './switcher-tag.js';
export { DEFAULT_MOST_UPLOADS, UploadGate } from './upload-gate.js';
