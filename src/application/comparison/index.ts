export * from './compare-versions.js';
