export * from './api/error-code.js';
export * from './archive-index.js';
export * from './openapi.js';
