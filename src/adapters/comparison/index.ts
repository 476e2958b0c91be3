export { ThreadedPageComparison } from './threaded-page-comparison.js';
