import { decodePage } from './charset.js';
import { type ContentEvents, ContentReader, mayHaveMain, type Scope } from './content-reader.js';
import { HiddenText } from './hidden/hidden-text.js';
import { PageHead } from './page-head.js';
import { parseHtml } from './parse-html.js';
import { Budget, READING_LIMITS, type ReadingLimits } from './reading-limits.js';

/**
 * Reads the main part of a page, or all of it where that says nothing, within the limits. Never throws, whatever the bytes are.
 * @param collect makes parts of the content, which `parse` passes on to a receiver
 */
export function readContent<Part>(
  bytes: Uint8Array,
  limits: Partial<ReadingLimits> | undefined,
  collect: (budget: Budget, parse: (content: ContentEvents) => void) => readonly Part[],
) {
  const all = { ...READING_LIMITS, ...limits };
  const deadline = performance.now() + all.milliseconds;
  const html = decodePage(bytes.subarray(0, all.bytes));
  const hidden = new HiddenText(html, () => new Budget(all, deadline));
  const read = (scope: Scope) => {
    const head = new PageHead();
    const budget = new Budget(all, deadline);
    const parse = (content: ContentEvents) =>
      parseHtml(html, new ContentReader(scope, head, content, hidden), budget);
    const parts = collect(budget, parse);
    if (bytes.length > all.bytes) budget.cut.add('bytes');
    return { head, parts, cut: budget.cut };
  };
  const main = mayHaveMain(html) ? read('main') : undefined;
  // `<main>` may stand in a comment, or be empty.
  return main === undefined || main.parts.length === 0 ? read('page') : main;
}
