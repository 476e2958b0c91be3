/** Parses JSON; undefined for a text that is none. The parser's message would quote the text, which may be a secret. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
