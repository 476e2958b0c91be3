/** Parses a JSON file, with or without a byte order mark; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // Not told any further: the parser's message quotes the text around the fault, which may be a secret.
    return undefined;
  }
}
