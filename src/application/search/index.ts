/** What the process that indexes and the thread that searches run. It loads nothing else, so both start with few open files. */
export * from './answer.js';
export * from './definitions.js';
export * from './facets.js';
export * from './found-page.js';
export * from './names.js';
export * from './parse-query.js';
export * from './project-names.js';
export * from './read-site.js';
export * from './resolve-words.js';
export * from './search-budget.js';
export * from './ways.js';
export * from './weigh-words.js';
export * from './words/fold.js';
export * from './words/page-words.js';
export * from './words/stem.js';
export * from './words/tokens.js';
export * from './words/typos.js';
