export * from './retention-plan.js';
export * from './retention-rules.js';
