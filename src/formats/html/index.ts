/** Reads HTML pages: their text in sections, without navigation. Pure and synchronous, without I/O. */
export { decodePage } from './charset.js';
export { hasBase, insertInHead } from './insert-in-head.js';
export {
  blockPart,
  cutBlock,
  endOfPart,
  type MarkdownBlock,
  SEPARATOR,
  wordsOfHeading,
} from './markdown/markdown-block.js';
export { type MarkdownOptions, markdownOf, markdownTarget } from './markdown/markdown-of.js';
export { type BlockRange, MarkdownPage, type PackedMarkdown } from './markdown/markdown-page.js';
export { READING_LIMITS, type ReadingLimits } from './reading-limits.js';
export { pageKind } from './text/page-kind.js';
export { type Cut, isListing, type PageKind, type PageText, type Section } from './text/page-text.js';
export * from './text/read-page.js';
export { type SiteConventions, samplePaths, siteConventions } from './text/site-conventions.js';
export { cutOff } from './text-run.js';
