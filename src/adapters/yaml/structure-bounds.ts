/**
 * Max. signs of nesting in a text, checked before it is parsed. The parser of `yaml` recurses for each level of
 * nesting, and V8 may abort the process on stack overflow, even inside a `try`.
 *
 * Signs are counted in the whole text, also in quotes and comments. Every level of nesting has a sign of its own, so
 * neither YAML's quoting nor the parser's error recovery can make more levels than were counted. The stack of Node.js
 * holds about 800 levels.
 */
const MAX_NESTING_SIGNS = 200;
/** Max. lines and commas. Each may add a key, which the parser compares with all others, or an error message. */
const MAX_ENTRIES = 1000;

/** Brackets; `:` of a value, which needs no space after a quoted key; `-` of a list; `?` of a complex key. */
const NESTING_SIGN = /[[\]{}:]|[-?](?=\s|$)/g;
const ENTRY_SIGN = /[\n,]/g;

/** Returns the exceeded limit, worded to follow the file's name; undefined when the text may be parsed. */
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
