import { encodedComponent } from '../../domain/index.js';

/** A page with its links, as it has them. */
export interface LinkingPage {
  /** Path in the site. */
  readonly path: string;
  /** The first `<base href>`. */
  readonly base?: string | undefined;
  readonly links: readonly string[];
}

/** A link with a scheme, a host, or a path from the root. */
export const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i;

/** Returns the address of a page in its site, percent-encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodedComponent).join('/');
}
