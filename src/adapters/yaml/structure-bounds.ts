/**
 * Limits on the structure of a text, checked before the parser sees it. The parser of `yaml` calls itself for each
 * level of nesting, and V8 may end the whole process where the stack ends, whatever is caught around it.
 *
 * They count signs in the whole text, also in quotes and in comments, and none is ever taken off again: no level of
 * nesting comes without one of its own, so nothing that YAML's quoting or the parser's recovery from errors does can
 * make more levels than were counted. The stack of Node.js holds some 800.
 */
const MAX_NESTING_SIGNS = 200;
/** Lines and commas: each may be a key, which the parser compares with all others, or an error, which it words. */
const MAX_ENTRIES = 1000;

/** Brackets; a value's `:`, which needs no space behind it after a quoted key; a list's `-`, a complex key's `?`. */
const NESTING_SIGN = /[[\]{}:]|[-?](?=\s|$)/g;
const ENTRY_SIGN = /[\n,]/g;

/** What is beyond the limits, worded to follow the file's name; undefined when the text may be parsed. */
export function structureProblem(source: string): string | undefined {
  if (count(source, NESTING_SIGN) > MAX_NESTING_SIGNS) {
    return `has more than ${MAX_NESTING_SIGNS} brackets and signs ':', '-' and '?'`;
  }
  if (count(source, ENTRY_SIGN) > MAX_ENTRIES) return `has more than ${MAX_ENTRIES} lines and commas`;
  return undefined;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
