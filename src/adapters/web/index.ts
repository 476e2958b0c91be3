export { HtmlPages } from './html-pages.js';
export { type ClientFile, clientFile, fonts, libraries, publicDirectory } from './public-files.js';
export { type IdentityFile, openSite } from './site/open-site.js';
