import { SitePath } from '../../domain/index.js';
import { isRelative } from './link-forms.js';
import type { PageLinks } from './page-links.js';

/**
 * Links that begin with `/`, with a style sheet or a script of the site among them: it was built for one address, and they lead
 * out of it wherever else it stands.
 */
export interface RootedLinks {
  /**
   * Path on its host at which the site was built to stand, as its pages write it; begins and ends with `/`. `/` alone is the root of
   * a host.
   */
  readonly base: string;
  /** Number of links below `base` that lead to a file of the site. */
  readonly links: number;
  /** Number of sampled pages that have such links. */
  readonly pages: number;
  /** The first style sheet or script with such a link; the `<base>` if there is none. */
  readonly example: string;
  /** Name of the builder, if it is one whose setting is known. */
  readonly builder?: string | undefined;
}

interface RootBuilder {
  readonly name: string;
  /** `<meta name=generator>`, or the first link below the base, by which the builder is known. */
  readonly generator?: RegExp;
  readonly link?: RegExp;
  /** Returns the setting for a site at `base`, a path with `/` at both ends. */
  readonly setting: (base: string) => string;
}

/** Builders that write links from the root unless a setting names the site's path (docs/builders.md). */
const ROOT_BUILDERS: readonly RootBuilder[] = [
  {
    name: 'Docusaurus',
    generator: /^docusaurus/i,
    setting: (base) => `baseUrl: '${base}' in docusaurus.config.js`,
  },
  {
    name: 'VitePress',
    generator: /^vitepress/i,
    setting: (base) => `base: '${base}' in .vitepress/config.js`,
  },
  {
    name: 'Astro',
    generator: /^(?:astro|starlight)/i,
    setting: (base) => `base: '${base}' in astro.config.mjs`,
  },
  {
    name: 'MkDocs',
    generator: /^mkdocs/i,
    setting: (base) => `a site_url that ends with ${base} in mkdocs.yml`,
  },
  { name: 'Hugo', generator: /^hugo/i, setting: () => 'relativeURLs = true in hugo.toml' },
  {
    name: 'Jekyll',
    generator: /^jekyll/i,
    setting: (base) => `jekyll build --baseurl ${base.slice(0, -1)}`,
  },
  {
    name: 'Gatsby',
    generator: /^gatsby/i,
    setting: (base) => `pathPrefix: '${base.slice(0, -1)}' and gatsby build --prefix-paths`,
  },
  {
    name: 'Rspress',
    generator: /^rspress/i,
    setting: (base) => `rspress build --base ${base}`,
  },
  {
    name: 'Next.js',
    link: /^\/_next\//,
    setting: (base) => `basePath: '${base.slice(0, -1)}' in next.config.js`,
  },
  { name: 'Nuxt', link: /^\/_nuxt\//, setting: (base) => `app.baseURL: '${base}' in nuxt.config.ts` },
  {
    name: 'Create React App',
    link: /^\/static\/(?:js|css)\/main\.[0-9a-f]{8}\.(?:js|css)$/,
    setting: () => '"homepage": "." in package.json',
  },
  // Last, since others are built on it. The hash in its names has eight characters.
  {
    name: 'Vite',
    link: /^\/assets\/[^/]+-[\w-]{8}\.(?:js|css)$/,
    setting: () => "base: './' in vite.config.js",
  },
];

/** Returns what to set so that a builder builds for `base`; undefined for a builder that is not known. */
export function baseSettingOf(builder: string | undefined, base: string): string | undefined {
  return ROOT_BUILDERS.find(({ name }) => name === builder)?.setting(base);
}

/** Longest base that is kept, in characters. */
const MAX_BASE = 300;
/** Max. directories of a base. */
const MAX_LEVELS = 8;
/** Style sheets and scripts of one page that are looked at. */
const MAX_ASSETS = 50;

/** A link from the root, and the base that follows from it. */
interface Rooted {
  readonly base: string;
  readonly example: string;
}

/**
 * Finds the rooted links of some pages of a site, and so the address that it was built for: the prefix of its files' paths in
 * links to style sheets and scripts, else the pages' `<base>`. Other links alone are no sign of how it was
 * built: authors also write such links by hand, to pages of the host.
 * @param hasFile whether the site has a file at a path, which does not begin with `/`
 */
export function rootedLinksOf(
  pages: readonly PageLinks[],
  hasFile: (path: string) => boolean,
): RootedLinks | undefined {
  const found = mostOf(pages.map((page) => baseOf(page, hasFile)).filter((each) => each !== undefined));
  if (found === undefined) return undefined;
  const { base, example } = found;
  const counts = pages.map(
    (page) => rooted(page.links, page).filter((link) => leadsTo(link, base, hasFile)).length,
  );
  const builder = ROOT_BUILDERS.find(
    ({ generator, link }) =>
      pages.some(({ generators }) => generators.some((name) => generator?.test(name))) ||
      link?.test(example.slice(base.length - 1)),
  );
  return {
    base,
    links: counts.reduce((sum, count) => sum + count, 0),
    pages: counts.filter((count) => count > 0).length,
    example,
    builder: builder?.name,
  };
}

/** Returns the base of one page, by the first of its style sheets and scripts that is a file of the site. */
function baseOf(page: PageLinks, hasFile: (path: string) => boolean): Rooted | undefined {
  for (const example of new Set(
    rooted([...page.styles, ...page.scripts, ...page.preloaded], page).slice(0, MAX_ASSETS),
  )) {
    const components = example.split('/').slice(1);
    for (let level = 0; level < Math.min(components.length, MAX_LEVELS); level++) {
      const file = pathOf(components.slice(level).join('/'));
      const base = components.slice(0, level).map((component) => `/${component}`);
      if (file !== '' && hasFile(file)) return unlessLong({ base: `${base.join('')}/`, example });
    }
  }
  // No style sheet and no script is a file of the site: scripts in the page may ask for some.
  const base = directoryOf(page.base);
  return base === undefined ? undefined : unlessLong({ base, example: base });
}

function unlessLong(found: Rooted): Rooted | undefined {
  return found.base.length > MAX_BASE ? undefined : found;
}

/** The one that most pages have; of several, the shortest. */
function mostOf(found: readonly Rooted[]): Rooted | undefined {
  const pagesOf = ({ base }: Rooted) => found.filter((each) => each.base === base).length;
  return found.toSorted((a, b) => pagesOf(b) - pagesOf(a) || a.base.length - b.base.length)[0];
}

/** The links that begin with `/`, without their queries. Links that begin with `//` lead to another host. */
function rooted(links: readonly string[], { base }: Pick<PageLinks, 'base'>): string[] {
  const directory = directoryOf(base);
  // A `<base>` moves the links that depend on where the page is.
  return links
    .map((link) => link.trim().replace(/[?#].*$/s, ''))
    .map((link) => (directory !== undefined && isRelative(link) ? withoutDots(directory + link) : link))
    .filter(isRooted);
}

function isRooted(link: string): boolean {
  return /^\/(?![/\\])/.test(link);
}

/** The directory of a `<base>` that begins with `/`. */
function directoryOf(base: string | undefined): string | undefined {
  const path = base
    ?.trim()
    .replace(/[?#].*$/s, '')
    .replace(/[^/]*$/, '');
  return path !== undefined && isRooted(path) ? withoutDots(path) : undefined;
}

/** Removes dot segments as browsers do. */
function withoutDots(path: string): string {
  return path.includes('.') && URL.canParse(path, HOST) ? new URL(path, HOST).pathname : path;
}

const HOST = 'http://host.invalid/';

/** The path of a site's file in a part of a URL, without a `/` at its end; `''` for none. */
function pathOf(part: string): string {
  return String(SitePath.fromUrl(part.replace(/\/$/, '')) ?? '');
}

function leadsTo(link: string, base: string, hasFile: (path: string) => boolean): boolean {
  const path = link.startsWith(base) ? pathOf(link.slice(base.length)) : '';
  return path !== '' && [path, `${path}.html`, `${path}/index.html`].some(hasFile);
}
