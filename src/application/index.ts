export * from './delete-version.js';
export * from './download-version.js';
export * from './list-projects.js';
export * from './ports/archives.js';
export * from './ports/doc-store.js';
export * from './ports/token-registry.js';
export * from './read-page.js';
export * from './upload-version.js';
