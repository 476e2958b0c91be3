export { hostLabelOf, type ShortHash, shortHash } from './host-label.js';
export * from './host-table.js';
