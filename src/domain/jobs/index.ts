export * from './claim-pattern.js';
export * from './claims.js';
export * from './job-projects.js';
export * from './owner-claims.js';
export * from './trusted-issuer.js';
