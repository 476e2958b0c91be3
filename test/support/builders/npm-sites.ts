/** Sites by builders that npm has, with relative links: each has two pages, and the first links to the second. */
import type { Builder } from './built-sites.js';
import { builtByNpm } from './npm.js';
import { FILL, FRONT, packageWith } from './sources.js';
import { VERSIONS } from './versions.js';

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
