/**
 * Links that begin with `/` although their target is a file of the site: the site was built for the root of a host, and
 * they lead out of it wherever else it stands.
 */
export interface RootedLinks {
  readonly links: number;
  /** Pages that have such links, among those that were looked at. */
  readonly pages: number;
  /** The first such link. */
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

// Bounded repetitions: a hostile page must not take more than linear time.
const LINK = /\s(?:href|src)\s{0,4}=\s{0,4}["']?(\/[^\s"'>#?]{1,500})/gi;
const GENERATOR = /<meta\s[^>]{0,200}?\bname=["']?generator\b[^>]{0,200}>/i;
const CONTENT = /\bcontent=["']?([^"'>]{1,100})/i;

/**
 * Finds the rooted links of some pages of a site.
 * @param hasFile whether the site has a file at a path, which does not begin with `/`
 */
export function rootedLinksOf(
  pages: readonly string[],
  hasFile: (path: string) => boolean,
): RootedLinks | undefined {
  const found = pages.map((html) =>
    [...html.matchAll(LINK)].map(([, link = '']) => link).filter((link) => leadsTo(link, hasFile)),
  );
  const [example] = found.flat();
  if (example === undefined) return undefined;
  const generators = pages.map((html) => CONTENT.exec(GENERATOR.exec(html)?.[0] ?? '')?.[1] ?? '');
  const builder = ROOT_BUILDERS.find(
    ({ generator, link }) =>
      generators.some((name) => generator?.test(name)) || (link && example.startsWith(link)),
  );
  return {
    links: found.flat().length,
    pages: found.filter((links) => links.length > 0).length,
    example,
    builder: builder?.name,
  };
}

/** Whether a link from the root would be right if the site stood there. */
function leadsTo(link: string, hasFile: (path: string) => boolean): boolean {
  const path = decoded(link.slice(1)).replace(/\/$/, '');
  return path !== '' && [path, `${path}.html`, `${path}/index.html`].some(hasFile);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
