/** Decodes one component of a URL's path. Malformed input is returned as it is: with its `%` it matches no name. */
export function decodedComponent(component: string): string {
  try {
    return decodeURIComponent(component);
  } catch {
    return component;
  }
}

/** Percent-encodes one component of a URL's path. Half of a surrogate pair, which cannot be encoded, becomes U+FFFD. */
export function encodedComponent(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'));
}

/**
 * Removes all `/` at the end of the text. No regular expression: `/\/+$/` takes quadratic time on slashes that another
 * character follows, and a URL may have 16,000 of them.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
