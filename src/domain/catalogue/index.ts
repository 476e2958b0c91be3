export * from './catalogue.js';
export type { Contents } from './contents.js';
export * from './located.js';
export * from './reader.js';
export { VisibleCatalogue } from './visible-catalogue.js';
export * from './why-not-published.js';
