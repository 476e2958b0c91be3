/** Starts of lines that would begin a block of another kind. */
const BLOCK_START = /^(?:#{1,6}(?= )|>|[-+*](?= )|={3,}|-{3,}|~{3,})/;
const NUMBERED = /^(\d{1,9})(?=[.)] )/;
const SPECIAL = /[<&`*_\]]/;

/** Escapes what Markdown would read as markup. Formulas between `\(` and `\)`, or `\[` and `\]`, stay as they are. */
export function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  if (!text.includes('\\')) return escapedPart(text);
  let result = '';
  let from = 0;
  for (;;) {
    const formula = nextFormula(text, from);
    if (formula === undefined) return result + escapedPart(text.slice(from));
    result += escapedPart(text.slice(from, formula.start)) + text.slice(formula.start, formula.end);
    from = formula.end;
  }
}

/** A paragraph in which no line begins a block of another kind. */
export function escapedLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(BLOCK_START, '\\$&').replace(NUMBERED, '$1\\'))
    .join('\n');
}

/** Code within a line. */
export function codeSpan(text: string): string {
  if (text.trim() === '') return text;
  if (!text.includes('`')) return `\`${text}\``;
  const fence = '`'.repeat(longestRun(text) + 1);
  return `${fence} ${text} ${fence}`;
}

/** Lines of code in a fence that they don't end. */
export function fenced(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Length of the longest run of back-ticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function escapedPart(text: string): string {
  return text
    .replace(/`|<(?=[a-z/!?])|&(?=#?\w{1,32};)|\*(?=\S)|(?<=\S)\*/gi, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll('](', ']\\(');
}

function nextFormula(
  text: string,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  for (let start = text.indexOf('\\', from); start !== -1; start = text.indexOf('\\', start + 2)) {
    const sign = text[start + 1];
    if (sign !== '(' && sign !== '[') continue;
    const end = text.indexOf(sign === '(' ? '\\)' : '\\]', start + 2);
    // Without an end of this one, the text goes on as text: looking for others again and again would take long.
    return end === -1 ? undefined : { start, end: end + 2 };
  }
  return undefined;
}
