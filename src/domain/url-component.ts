/** A component of a URL's path as it was meant. Names have no `%`: what cannot be decoded stays, and names nothing. */
export function decodedComponent(component: string): string {
  try {
    return decodeURIComponent(component);
  } catch {
    return component;
  }
}
