import { SitePath } from '../../domain/index.js';
import type { PageLinks } from './page-links.js';

/**
 * Links that begin with `/` although their target is a file of the site, with a style sheet or a script among them: the
 * site was built for the root of a host, and they lead out of it wherever else it stands.
 */
export interface RootedLinks {
  readonly links: number;
  /** Pages that have such links, among those that were looked at. */
  readonly pages: number;
  /** The first style sheet or script that is asked for in this way. */
  readonly example: string;
  /** Name of the builder, if it is one whose setting is known. */
  readonly builder?: string | undefined;
}

interface RootBuilder {
  readonly name: string;
  /** `<meta name=generator>`, or a part of the first link, by which the builder is known. */
  readonly generator?: RegExp;
  readonly link?: string;
  /** What to set, for a site at `base`: a path with `/` at both ends. */
  readonly setting: (base: string) => string;
}

/** Builders that write links from the root unless they are told where the site stands (docs/builders.md). */
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
    name: 'Next.js',
    link: '/_next/',
    setting: (base) => `basePath: '${base.slice(0, -1)}' in next.config.js`,
  },
  { name: 'Nuxt', link: '/_nuxt/', setting: (base) => `app.baseURL: '${base}' in nuxt.config.ts` },
];

/** Returns what to set so that a builder builds for `base`; undefined for a builder that is not known. */
export function baseSettingOf(builder: string | undefined, base: string): string | undefined {
  return ROOT_BUILDERS.find(({ name }) => name === builder)?.setting(base);
}

/**
 * Finds the rooted links of some pages of a site. Without a style sheet or a script among them they are no sign of how
 * it was built: authors also write such links by hand, to pages of the host.
 * @param hasFile whether the site has a file at a path, which does not begin with `/`
 */
export function rootedLinksOf(
  pages: readonly PageLinks[],
  hasFile: (path: string) => boolean,
): RootedLinks | undefined {
  const example = pages.flatMap(({ assets }) => rooted(assets)).find((link) => hasFile(pathOf(link)));
  if (example === undefined) return undefined;
  const counts = pages.map(({ links }) => rooted(links).filter((link) => leadsTo(link, hasFile)).length);
  const builder = ROOT_BUILDERS.find(
    ({ generator, link }) =>
      pages.some(({ generators }) => generators.some((name) => generator?.test(name))) ||
      (link && example.startsWith(link)),
  );
  return {
    links: counts.reduce((sum, count) => sum + count, 0),
    pages: counts.filter((count) => count > 0).length,
    example,
    builder: builder?.name,
  };
}

/** The links that begin with `/`, without their queries. Those that begin with `//` lead to a host. */
function rooted(links: readonly string[]): string[] {
  return links.map((link) => link.trim().replace(/[?#].*$/s, '')).filter((link) => /^\/(?![/\\])/.test(link));
}

/** The path in the site to which a rooted link would lead if the site stood at the root; `''` for none. */
function pathOf(link: string): string {
  return String(SitePath.fromUrl(link.slice(1).replace(/\/$/, '')) ?? '');
}

function leadsTo(link: string, hasFile: (path: string) => boolean): boolean {
  const path = pathOf(link);
  return path !== '' && [path, `${path}.html`, `${path}/index.html`].some(hasFile);
}
