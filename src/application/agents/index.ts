export * from './agent-tools.js';
