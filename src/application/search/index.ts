/** What threads that search run. The process that indexes loads single files: it starts with few open ones. */
export * from './answer.js';
export * from './answer-question.js';
export * from './breadcrumbs.js';
export * from './definitions.js';
export * from './facets.js';
export * from './found-page.js';
export * from './page-content.js';
export * from './query/parse-query.js';
export * from './query/resolve-words.js';
export * from './ranking-weights.js';
export * from './read-site.js';
export * from './search-budget.js';
export * from './telling-words.js';
export * from './words/fold.js';
export * from './words/page-words.js';
export * from './words/tokens.js';
export * from './words/typos.js';
