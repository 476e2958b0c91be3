/** Reads HTML pages: their text in sections, without navigation. Pure and synchronous, without I/O. */
export { decodePage } from './decode-page.js';
export { hasBase, insertInHead } from './insert-in-head.js';
export { blockPart, cutBlock } from './markdown/block-part.js';
export type { MarkdownBlock } from './markdown/markdown-block.js';
export { type MarkdownOptions, markdownOf } from './markdown/markdown-of.js';
export { MarkdownPage, type PackedMarkdown } from './markdown/markdown-page.js';
export { markdownTarget } from './markdown/markdown-target.js';
export { READING_LIMITS, type ReadingLimits } from './reading-limits.js';
export { pageKind } from './text/page-kind.js';
export type { Cut, PageKind, PageText, Section } from './text/page-text.js';
export { ownTitles, titleIn } from './text/page-title.js';
export { asPartOfSite, type ReadingOptions, readPage, readUnfinished } from './text/read-page.js';
export { type SiteConventions, samplePaths, siteConventions } from './text/site-conventions.js';
export { cutOff } from './text-run.js';
