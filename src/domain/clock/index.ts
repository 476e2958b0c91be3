export * from './clock.js';
export * from './round.js';
