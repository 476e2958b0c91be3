export type { PeopleOptions } from './access/people.js';
export type { Access } from './access/readers.js';
export { DEFAULT_UPLOAD_PACE, type UploadPace } from './api/uploads/receive-upload.js';
export type { Core, HttpFeature, HttpServerOptions, OwnPages } from './app-parts.js';
export { createHttpServer, type HttpServer } from './create-http-server.js';
export { hostTableOf, ProjectHosts } from './hosts/project-hosts.js';
export { PublicAddress } from './public-address.js';
export type { Patience } from './server/lectern-server.js';
export type { Logger } from './server/request-log.js';
