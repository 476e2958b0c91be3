export { helpErrors } from './help/help-errors.js';
export { helpText } from './help/help-text.js';
export { HtmlPages } from './html-pages.js';
export { libraries } from './libraries.js';
export { publicDirectory } from './public-directory.js';
