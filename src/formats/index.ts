export * from './archive-index.js';
export * from './gzip-member.js';
