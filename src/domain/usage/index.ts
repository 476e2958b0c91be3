export * from './counted-requests.js';
export * from './counts.js';
export * from './day.js';
export * from './usage-sum.js';
export * from './usage-tallies.js';
