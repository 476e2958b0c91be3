/** The port `SearchIndex` on SQLite's FTS5: one immutable database for each publication. */
export { MAX_BUILDERS } from './apart/builder.js';
export { loadEngine } from './databases/load-engine.js';
export { DATABASE_NAME } from './databases/shared-databases.js';
export { SqliteSearchIndex } from './sqlite-search-index.js';
