/** Reads HTML pages: their text in sections, without navigation. Pure and synchronous, without I/O. */
export { decodePage } from './decode-page.js';
