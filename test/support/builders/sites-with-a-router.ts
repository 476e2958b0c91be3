/**
 * Sites whose scripts take over after the page is there, and then look at its address: at one that does not begin with their
 * base they show "Page not found". A builder is a row in `SITES_WITH_A_ROUTER`.
 */
import type { Builder } from './built-sites.js';
import { builtByNpm } from './npm.js';
import { VERSIONS } from './versions.js';

/** Pages of each site, by their path in the source. */
export const PAGES = {
  '': { title: 'Kettle', text: 'Fill it, switch it on, and wait for the click.' },
  guide: { title: 'Guide', text: 'Cold water, up to the line.' },
  'guide/cleaning': { title: 'Cleaning', text: 'Vinegar.' },
  'guide/größe': { title: 'Größe & Füllmenge – объём', text: 'Anderthalb Liter.' },
} as const;
export type PageName = keyof typeof PAGES;
export const NAME_OF_SITE = 'Household';

export interface SiteWithARouter {
  /** Name of the project. */
  readonly name: string;
  /** Builder and setting. */
  readonly setting: string;
  /** @param base address that the site is built for: begins and ends with `/` */
  readonly at: (base: string) => Builder;
  /** Expression that is true once the scripts have taken over. */
  readonly hasTakenOver: string;
  /** Returns the address of a page, relative to the site, as links have it. */
  readonly addressOf: (page: PageName) => string;
  /** Further addresses for which there is a build. Each is tried with one setting of a builder, since a build takes long. */
  readonly bases: readonly ('root' | 'preview' | 'below a path')[];
}

/** Large enough that builders make it a file of its own. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">${Array.from(
  { length: 400 },
  (_, index) => `<circle cx="${index % 100}" cy="${Math.floor(index / 4)}" r="2"/>`,
).join('')}</svg>`;

const { '': FRONT, guide: GUIDE, 'guide/cleaning': CLEANING, 'guide/größe': SIZE } = PAGES;

/** Code and a table in Markdown. */
export const CODE_AND_TABLE = `\`\`\`js
kettle.fill({ litres: 1 }).on();
\`\`\`

| Part | Made of |
| --- | --- |
| Lid | steel |
`;

/** A page `guide` beside a directory `guide/`. */
const SOURCES = {
  'docs/index.md': `# ${FRONT.title}

${FRONT.text} ${'A kettle boils a litre of water in about four minutes. '.repeat(40)}

![A kettle](./kettle.svg)

How to use it is in the [guide](guide.md).

## Filling

${'Up to the line, and no further. '.repeat(60)}

${CODE_AND_TABLE}`,
  'docs/kettle.svg': PICTURE,
  'docs/guide.md': `# ${GUIDE.title}\n\n${GUIDE.text}\n\n## Hard water\n\nIt depends on the [size](./guide/größe.md).\n`,
  'docs/guide/cleaning.md': `# ${CLEANING.title}\n\n${CLEANING.text}\n\nBack to the [guide](../guide.md).\n`,
  'docs/guide/größe.md': `# ${SIZE.title}\n\n${SIZE.text}\n`,
};

function docusaurus(
  name: string,
  trailingSlash: boolean | undefined,
  bases: SiteWithARouter['bases'],
): SiteWithARouter {
  const config = {
    title: NAME_OF_SITE,
    favicon: 'kettle.svg',
    url: 'https://docs.example.org',
    onBrokenLinks: 'throw',
    presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
  };
  return {
    name,
    setting: `Docusaurus with trailingSlash: ${trailingSlash}`,
    at: (base) => ({
      ...builtByNpm({
        name,
        packages: [
          `@docusaurus/core@${VERSIONS.docusaurus}`,
          `@docusaurus/preset-classic@${VERSIONS.docusaurus}`,
          '@mdx-js/react@3.1.1',
          `react@${VERSIONS.react}`,
          `react-dom@${VERSIONS.react}`,
        ],
        files: {
          ...SOURCES,
          'docs/index.md': `---\nslug: /\n---\n${SOURCES['docs/index.md']}`,
          'docs/guide/_category_.json': '{ "label": "In depth" }',
          'static/kettle.svg': PICTURE,
          'static/docinfo.yaml': 'switcher_corner: bottom-left\n',
          'docusaurus.config.js': `const { BASE, TRAILING_SLASH } = process.env;
module.exports = { ...${JSON.stringify(config)}, baseUrl: BASE, trailingSlash: { true: true, false: false }[TRAILING_SLASH] };\n`,
        },
        // Not in the configuration, which would make webpack compile everything anew.
        env: { BASE: base, TRAILING_SLASH: String(trailingSlash) },
        command: ['docusaurus', 'build', '--out-dir', 'built'],
      }),
      scrollsUpWith: 'Scroll back to top',
    }),
    hasTakenOver: 'document.documentElement.dataset.hasHydrated === "true"',
    addressOf: (page) => (page === '' || !trailingSlash ? page : `${page}/`),
    bases,
  };
}

function vitepress(name: string, cleanUrls: boolean, bases: SiteWithARouter['bases']): SiteWithARouter {
  const config = {
    title: NAME_OF_SITE,
    cleanUrls,
    themeConfig: {
      sidebar: [
        {
          text: 'Guide',
          link: '/guide',
          items: [
            { text: 'Cleaning', link: '/guide/cleaning' },
            { text: 'Größe', link: '/guide/größe' },
          ],
        },
      ],
    },
  };
  return {
    name,
    setting: `VitePress with cleanUrls: ${cleanUrls}`,
    at: (base) =>
      builtByNpm({
        name,
        packages: [`vitepress@${VERSIONS.vitepress}`],
        files: {
          ...SOURCES,
          'docs/public/kettle.svg': PICTURE,
          'docs/.vitepress/config.mjs': `export default { ...${JSON.stringify(config)}, head: [['link', { rel: 'icon', href: '${base}kettle.svg' }]] };\n`,
        },
        command: ['vitepress', 'build', 'docs', '--base', base, '--outDir', 'built'],
      }),
    hasTakenOver: 'document.querySelector("#app")?.__vue_app__ !== undefined',
    addressOf: (page) => (page === '' || cleanUrls ? page : `${page}.html`),
    bases,
  };
}

export const DOCUSAURUS = docusaurus('docusaurus', true, ['below a path']);
/** Docusaurus writes `guide/index.html` then, and links to `guide`. */
export const DOCUSAURUS_UNSET = docusaurus('docusaurus-unset', undefined, []);
export const VITEPRESS = vitepress('vitepress', false, ['below a path']);
export const VITEPRESS_CLEAN = vitepress('vitepress-clean', true, ['root', 'preview']);

export const SITES_WITH_A_ROUTER: readonly SiteWithARouter[] = [
  DOCUSAURUS,
  docusaurus('docusaurus-flat', false, ['root', 'preview']),
  VITEPRESS,
  VITEPRESS_CLEAN,
];
