export { HtmlPages } from './html-pages.js';
export { libraries } from './libraries.js';
export { publicDirectory } from './public-directory.js';
