/** Sites by builders that npm has and that are built for one address: each has two pages, and the first links to the second. */
import type { Builder } from './built-sites.js';
import { builtByNpm, NEWER_NODE } from './npm.js';
import { FILL, FRONT, packageWith } from './sources.js';
import { VERSIONS } from './versions.js';

const node = `${NEWER_NODE}@${VERSIONS.node}`;
const react = [`react@${VERSIONS.react}`, `react-dom@${VERSIONS.react}`];

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
    // Without its version named, npm takes Vite 8.4, with which Nuxt 4.5.2 does not build.
    packages: [`nuxt@${VERSIONS.nuxt}`, `vite@${VERSIONS.vite}`, node],
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
