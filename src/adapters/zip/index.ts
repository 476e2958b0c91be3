export * from './zip-archives.js';
