export * from './access-policy.js';
export * from './access-rules.js';
