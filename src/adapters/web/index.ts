export { type ClientFile, clientFile } from './client-file.js';
export { HtmlPages } from './html-pages.js';
export { libraries } from './libraries.js';
export { publicDirectory } from './public-directory.js';
export { type IdentityFile, openSite } from './site/open-site.js';
