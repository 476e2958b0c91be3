export * from './young-garbage.js';
export * from './zip-archives.js';
