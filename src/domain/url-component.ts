/** A component of a URL's path as it was meant. Names have no `%`: what cannot be decoded stays, and names nothing. */
export function decodedComponent(component: string): string {
  try {
    return decodeURIComponent(component);
  } catch {
    return component;
  }
}

/**
 * The text without the `/` at its end, however many there are. Not by a regular expression: `/\/+$/` costs the square
 * of the slashes that stand in front of something else, and a URL holds 16,000.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
