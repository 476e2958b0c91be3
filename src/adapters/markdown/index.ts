export { ThreadedPageMarkdown } from './threaded-page-markdown.js';
