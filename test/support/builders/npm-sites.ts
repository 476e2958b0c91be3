/** Sites by builders that npm has: each has two pages, and the first links to the second. */
import type { Builder } from './built-sites.js';
import { builtByNpm, NEWER_NODE } from './npm.js';

/** Versions as `docs/builders.md` names them. */
export const VERSIONS = {
  antora: '3.1.15',
  astro: '7.3.5',
  docsify: '5.0.0',
  honkit: '6.1.7',
  next: '16.4.6',
  node: '24.9.0',
  nuxt: '4.5.2',
  react: '19.3.1',
  redocly: '2.77.0',
  rspress: '2.0.22',
  starlight: '0.42.4',
  storybook: '10.6.7',
  swagger: '5.35.0',
  vite: '8.3.8',
} as const;

const node = `${NEWER_NODE}@${VERSIONS.node}`;
const react = [`react@${VERSIONS.react}`, `react-dom@${VERSIONS.react}`];

const FILL = 'Fill it, switch it on, and wait for the click.';
const FRONT = `${FILL} Now and then it has to be [cleaned](cleaning.md).`;

/** `package.json` of a site whose builder looks there for what it is to bundle. */
const packageWith = (dependencies: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({ name: 'kettle', version: '1.0.0', private: true, type: 'module', dependencies });

/** An API of two operations. */
const OPENAPI = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Kettle', version: '1.0.0', description: FILL },
  paths: Object.fromEntries(
    [
      ['boil', 'Cold water, up to the line.'],
      ['clean', 'Vinegar.'],
    ].map(([name, description]) => [
      `/${name}`,
      {
        post: { operationId: name, summary: name, description, responses: { 204: { description: 'Done.' } } },
      },
    ]),
  ),
});

/** @param base address that the site is built for: begins and ends with `/` */
export const starlight = (base: string): Builder =>
  builtByNpm({
    name: 'starlight',
    packages: [`astro@${VERSIONS.astro}`, `@astrojs/starlight@${VERSIONS.starlight}`, node],
    files: {
      'package.json': packageWith({ astro: VERSIONS.astro, '@astrojs/starlight': VERSIONS.starlight }),
      'astro.config.mjs': `import starlight from '@astrojs/starlight';
export default {
  base: process.env.BASE ?? '/',
  outDir: 'built',
  integrations: [starlight({ title: 'Household', sidebar: ['index', 'cleaning'] })],
};
`,
      'src/content.config.ts': `import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`,
      'src/content/docs/index.md': `---\ntitle: Kettle\n---\n\n${FILL}\n`,
      'src/content/docs/cleaning.md': '---\ntitle: Cleaning\n---\n\nVinegar.\n',
      'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
    },
    env: { BASE: base, ASTRO_TELEMETRY_DISABLED: '1' },
    command: ['astro', 'build'],
  });

export const rspress = (base: string): Builder =>
  builtByNpm({
    name: 'rspress',
    packages: [`@rspress/core@${VERSIONS.rspress}`],
    files: {
      'package.json': packageWith(),
      // In the configuration, so that each base has a source of its own: the cache of Rspress does not look at the base.
      'rspress.config.mjs': `export default { root: 'docs', title: 'Household', base: '${base}', outDir: 'built' };\n`,
      'docs/index.md': `# Kettle\n\n${FRONT}\n`,
      'docs/cleaning.md': '# Cleaning\n\nVinegar.\n',
    },
    command: ['rspress', 'build'],
  });

export const next = (base: string): Builder =>
  builtByNpm({
    name: 'next',
    packages: [`next@${VERSIONS.next}`, ...react],
    files: {
      'next.config.mjs': `import { resolve } from 'node:path';
export default {
  output: 'export',
  distDir: 'built',
  basePath: process.env.BASE,
  trailingSlash: true,
  turbopack: { root: resolve('..') },
};
`,
      'app/layout.js': `import './style.css';
export const metadata = { title: 'Kettle', icons: 'data:,' };
export default ({ children }) => <html lang="en"><body><main>{children}</main></body></html>;
`,
      'app/style.css': 'main { max-width: 40rem }\n',
      'app/page.js': `import Link from 'next/link';
export default () => <p>${FILL} Now and then it has to be <Link href="/cleaning/">cleaned</Link>.</p>;
`,
      'app/cleaning/page.js': `export const metadata = { title: 'Cleaning' };
export default () => <p>Vinegar.</p>;
`,
    },
    env: { BASE: base.slice(0, -1), NEXT_TELEMETRY_DISABLED: '1' },
    command: ['next', 'build'],
  });

export const nuxt = (base: string): Builder =>
  builtByNpm({
    name: 'nuxt',
    packages: [`nuxt@${VERSIONS.nuxt}`, node],
    files: {
      'package.json': packageWith(),
      'nuxt.config.ts': `export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  app: { head: { htmlAttrs: { lang: 'en' }, link: [{ rel: 'icon', href: 'data:,' }] } },
  css: ['~/style.css'],
  nitro: { output: { publicDir: './built' } },
});
`,
      'app/style.css': 'main { max-width: 40rem }\n',
      'app/app.vue': '<template><main><NuxtPage /></main></template>\n',
      'app/pages/index.vue': `<script setup>useHead({ title: 'Kettle' });</script>
<template><p>${FILL} Now and then it has to be <NuxtLink to="/cleaning/">cleaned</NuxtLink>.</p></template>
`,
      'app/pages/cleaning.vue': `<script setup>useHead({ title: 'Cleaning' });</script>
<template><p>Vinegar.</p></template>
`,
    },
    env: { NUXT_APP_BASE_URL: base, NUXT_TELEMETRY_DISABLED: '1' },
    command: ['nuxt', 'generate'],
  });

export const HONKIT = builtByNpm({
  name: 'honkit',
  packages: [`honkit@${VERSIONS.honkit}`],
  files: {
    'book.json': '{ "title": "Household" }',
    'README.md': `# Kettle\n\n${FRONT}\n`,
    'SUMMARY.md': '# Summary\n\n* [Kettle](README.md)\n* [Cleaning](cleaning.md)\n',
    'cleaning.md': '# Cleaning\n\nVinegar.\n',
  },
  command: ['honkit', 'build', '.', 'built'],
});

/** Pages of an own UI: npm has none of Antora's. It gets the addresses of pages and styles as any other does. */
const LAYOUT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{{page.title}} :: {{site.title}}</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="{{{uiRootPath}}}/css/site.css">
<nav>{{#each page.navigation}}{{#each items}}<a href="{{{relativize url}}}">{{content}}</a>{{/each}}{{/each}}</nav>
<main>{{{page.contents}}}</main></html>
`;

export const ANTORA = builtByNpm({
  name: 'antora',
  packages: [`antora@${VERSIONS.antora}`, `@antora/site-generator@${VERSIONS.antora}`],
  isCommitted: true,
  files: {
    'playbook.yml': `site: { title: Household, start_page: kettle::index.adoc }
content: { sources: [{ url: ., start_path: docs }] }
ui: { bundle: { url: ./ui } }
output: { dir: built }
runtime: { cache_dir: ./cache }
`,
    'docs/antora.yml': 'name: kettle\ntitle: Kettle\nversion: ~\nnav: [modules/ROOT/nav.adoc]\n',
    'docs/modules/ROOT/nav.adoc': '* xref:index.adoc[Kettle]\n* xref:cleaning.adoc[Cleaning]\n',
    'docs/modules/ROOT/pages/index.adoc': `= Kettle\n\n${FILL} Now and then it has to be xref:cleaning.adoc[cleaned].\n`,
    'docs/modules/ROOT/pages/cleaning.adoc': '= Cleaning\n\nVinegar.\n',
    'ui/css/site.css': 'main { max-width: 40rem }\n',
    'ui/helpers/relativize.js': `const { posix } = require('node:path');
module.exports = (to, { data }) => posix.relative(posix.dirname(data.root.page.url), to) || posix.basename(to);
`,
    'ui/layouts/default.hbs': LAYOUT,
    'ui/layouts/404.hbs': LAYOUT,
  },
  command: ['antora', 'playbook.yml'],
});

const ON_VITE = [`storybook@${VERSIONS.storybook}`, '@storybook/html-vite@10.6.0', `vite@${VERSIONS.vite}`];

export const STORYBOOK = builtByNpm({
  name: 'storybook',
  packages: ON_VITE,
  files: {
    'package.json': packageWith(),
    '.storybook/main.js': `export default { framework: '@storybook/html-vite', stories: ['../src/*.stories.js'] };\n`,
    'src/kettle.stories.js': `export default { title: 'Kettle', render: ({ text }) => \`<main><h1>Kettle</h1><p>\${text}</p></main>\` };
export const Filling = { args: { text: '${FILL}' } };
export const Cleaning = { args: { text: 'Vinegar.' } };
`,
  },
  command: ['storybook', 'build', '--quiet', '--disable-telemetry', '--output-dir', 'built'],
});

const vitePage = (title: string, html: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">
<script type="module" src="./main.js"></script></head><body><main><p>${html}</p></main></body></html>
`;

/** @param base `./`, or the address that the site is built for: begins and ends with `/` */
export const vite = (base: string): Builder =>
  builtByNpm({
    name: 'vite',
    packages: ON_VITE,
    files: {
      'vite.config.mjs': `export default { build: { outDir: 'built', rolldownOptions: { input: ['index.html', 'cleaning.html'] } } };\n`,
      'index.html': vitePage(
        'Kettle',
        `${FILL} Now and then it has to be <a href="cleaning.html">cleaned</a>.`,
      ),
      'cleaning.html': vitePage('Cleaning', ''),
      'main.js': `import './main.css';
import('./cleaning.js').then(({ TEXT }) => {
  if (document.title === 'Cleaning') document.querySelector('p').textContent = TEXT;
});
`,
      'cleaning.js': `export const TEXT = 'Vinegar.';\n`,
      'main.css': 'main { max-width: 40rem }\n',
    },
    command: ['vite', 'build', '--base', base],
  });

export const REDOC = builtByNpm({
  name: 'redoc',
  packages: [`@redocly/cli@${VERSIONS.redocly}`],
  files: { 'openapi.json': OPENAPI },
  env: { REDOCLY_TELEMETRY: 'off' },
  command: ['redocly', 'build-docs', 'openapi.json', '--inlineBundle', '--output', 'built/index.html'],
});

export const SWAGGER_UI = builtByNpm({
  name: 'swagger-ui',
  packages: [`swagger-ui-dist@${VERSIONS.swagger}`],
  files: {
    'openapi.json': OPENAPI,
    'index.html': `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Kettle</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
<div id="api"></div>
<script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', deepLinking: true });</script></html>
`,
  },
  copies: {
    'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
    'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  },
});

export const DOCSIFY = builtByNpm({
  name: 'docsify',
  packages: [`docsify@${VERSIONS.docsify}`],
  files: {
    'README.md': `# Kettle\n\n${FRONT}\n`,
    'cleaning.md': '# Cleaning\n\nVinegar.\n',
    '.nojekyll': '',
    'index.html': `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Household</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="core.min.css">
<div id="app"></div>
<script>window.$docsify = { name: 'Household', autoHeader: true };</script>
<script src="docsify.min.js"></script></html>
`,
  },
  copies: {
    'core.min.css': 'docsify/dist/themes/core.min.css',
    'docsify.min.js': 'docsify/dist/docsify.min.js',
  },
});
