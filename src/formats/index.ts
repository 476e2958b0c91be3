export * from './archive-index.js';
export * from './gzip-member.js';
export * from './openapi.js';
