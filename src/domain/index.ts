export * from './archive-name.js';
export * from './catalogue.js';
export * from './docinfo.js';
export * from './project.js';
export * from './refusal.js';
export * from './site-path.js';
export * from './token-policy.js';
export * from './version.js';
