import type { Builder } from './built-sites.js';
import { BELOW } from './places.js';

export interface PageOfASite {
  /** Address once the page is loaded, relative to the site. */
  readonly address: string;
  readonly title: string;
  /** Part of its text, with single spaces. */
  readonly text: string;
  /** Address after a reload, where that differs. */
  readonly reloaded?: string;
}

export interface SiteOfABuilder {
  /** Name of the project. */
  readonly name: string;
  /** The builder and its version, as `docs/builders.md` has them. */
  readonly tried: string;
  /** Versions of Debian's packages. */
  readonly debian?: Readonly<Record<string, string>>;
  /** The site; or its builds for a base, which begins and ends with `/`. */
  readonly built: Builder | ((base: string) => Builder);
  /** Whether it is read at one address only, the one that it is built for. */
  readonly isBound?: boolean;
  /** A build for the root of a host, and the setting that Lectern names where it is elsewhere. */
  readonly forRoot?: { readonly build: Builder; readonly setting: (path: string) => string };
  /** Whether a build takes long, so that there is one for the address of the version only. */
  readonly isSlow?: boolean;
  readonly front: PageOfASite;
  /** Link or button on the front page that leads to the second page. */
  readonly to: string | { readonly role: 'link' | 'button'; readonly name: RegExp };
  readonly second: PageOfASite;
  /** Words by which the search finds the second page. Scripts draw the others. */
  readonly words?: string;
  /** Requests of its scripts that fail wherever it is. */
  readonly mayFail?: RegExp;
  /** Whether its scripts have errors wherever it is. */
  readonly hasErrors?: boolean;
}

/** The bases that sites are built for where they are read. */
export const BASES = {
  'of its version': (project: string) => `/${project}-1.0/`,
  'below a path': (project: string) => `${BELOW}/${project}-1.0/`,
  'of a host': () => '/',
} as const;

/** Returns the build of a site that is read at a base. */
export function buildFor({ name, built }: SiteOfABuilder, base: keyof typeof BASES): Builder {
  return typeof built === 'function' ? built(BASES[base](name)) : built;
}
