import { hasBase, type MarkdownPage, markdownOf, markdownTarget } from '../../formats/html/index.js';
import { giveWayInThread } from '../../node/background/give-way.js';
import { job } from '../../node/background/job.js';

export interface Page {
  readonly bytes: Uint8Array;
  readonly withLinks: boolean;
}

// Each export is a job.

export const convert = job(({ bytes, withLinks }: Page): MarkdownPage => {
  // With a `<base>`, relative links would lead elsewhere from the address of the Markdown.
  return markdownOf(bytes, withLinks && !hasBase(bytes) ? { linkTarget: markdownTarget } : {});
});

giveWayInThread();
