export * from './choose-version.js';
