export * from './retention-rules.js';
