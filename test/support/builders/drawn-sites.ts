/** Sites that a script draws, by their packages of npm. Each has something that is found by `descale`. */
import type { Builder } from './built-sites.js';
import { builtByNpm } from './npm.js';

export interface DrawnSiteInBrowser {
  readonly builder: Builder;
  /** Title of the page that is found, and what its address ends with. */
  readonly title: string;
  readonly end: string;
  /** Expression for the browser: whether it shows what was found, in sight. */
  readonly isShown: string;
}

const ESBUILD = 'esbuild@0.28.2';
/** Copies files, and those of packages under other names. */
const copied = (files: readonly string[], ofPackages: Readonly<Record<string, string>>) =>
  [
    'esbuild',
    ...files,
    ...Object.entries(ofPackages).map(([name, path]) => `${name}=../node_modules/${path}`),
    ...['html', 'js', 'json', 'md', 'css'].map((type) => `--loader:.${type}=copy`),
    '--outdir=built',
    '--outbase=.',
  ] as [string, ...string[]];

const operation = (name: string) => [
  `/kettles/{id}/${name}`,
  {
    post: {
      operationId: `${name}Kettle`,
      summary: `${name} a kettle`,
      description: `How to ${name}. `.repeat(100),
      tags: ['Hot Water'],
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: { 204: { description: 'Done.' } },
    },
  },
];
const OPENAPI = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Kettle', version: '1.0.0' },
  paths: Object.fromEntries(['fill', 'boil', 'pour', 'descale', 'clean', 'store', 'sell'].map(operation)),
});

const heading = (text: string) =>
  `[...document.querySelectorAll('h1, h2, h3')].some((each) => {
    const { top, height } = each.getBoundingClientRect();
    return each.textContent.includes('${text}') && height > 0 && top > -60 && top < innerHeight;
  })`;

/** An OpenAPI description that a page shows. */
const api = (
  name: string,
  packages: readonly string[],
  html: string,
  scripts: Readonly<Record<string, string>>,
): Builder =>
  builtByNpm({
    name,
    packages: [...packages, ESBUILD],
    files: {
      'index.html': `<!doctype html><html><head><meta charset="utf-8"><title>Kettle</title></head><body>${html}</body></html>`,
      'openapi.json': OPENAPI,
    },
    command: copied(['index.html', 'openapi.json'], scripts),
  });

const MORE = Array.from({ length: 40 }, (_, at) => `Water, part ${at}.`).join('\n\n');

export const DRAWN_SITES: readonly DrawnSiteInBrowser[] = [
  {
    builder: builtByNpm({
      name: 'drawn-storybook',
      packages: [
        'storybook@10.6.7',
        '@storybook/html-vite@10.6.0',
        '@storybook/addon-docs@10.6.7',
        'vite@8.3.8',
      ],
      files: {
        'package.json': '{ "name": "kettle", "version": "1.0.0", "private": true, "type": "module" }',
        '.storybook/main.js': `export default {
  stories: ['../src/*.stories.js'],
  addons: ['@storybook/addon-docs'],
  framework: { name: '@storybook/html-vite', options: {} },
  core: { disableTelemetry: true },
};`,
        'src/Kettle.stories.js': `export default { title: 'Kitchen/Kettle', tags: ['autodocs'], render: () => '<b>A kettle</b>' };
export const Plain = {};
export const Descale = { name: 'Descale it', render: () => '<b>Vinegar, an hour</b>' };`,
      },
      command: ['storybook', 'build', '-o', 'built', '--disable-telemetry'],
    }),
    title: 'Kitchen/Kettle',
    end: '/?path=/story/kitchen-kettle--descale',
    isShown: `document.querySelector('iframe#storybook-preview-iframe')?.contentDocument?.querySelector('#storybook-root')?.textContent.includes('Vinegar')`,
  },
  {
    builder: builtByNpm({
      name: 'drawn-docsify',
      packages: ['docsify@5.0.0', ESBUILD],
      files: {
        'index.html':
          '<!doctype html><html><head><meta charset="utf-8"><title>Kettle</title></head><body><div id="app"></div><script>window.$docsify = { name: "Kettle" }</script><script src="docsify.js"></script></body></html>',
        'README.md': '# Kettle\n',
        'my care/guide.md': `# Care\n\n${MORE}\n\n## How to descale: \`step\` by step!\n\nVinegar.\n\n${MORE}\n`,
      },
      command: copied(['index.html', 'README.md', 'my care/guide.md'], {
        docsify: 'docsify/dist/docsify.min.js',
      }),
    }),
    title: 'Care',
    end: '/#/my%20care/guide?id=how-to-descale-step-by-step',
    isShown: heading('How to descale'),
  },
  {
    builder: api(
      'drawn-redoc',
      ['redoc@2.5.4'],
      '<redoc spec-url="openapi.json"></redoc><script src="redoc.js"></script>',
      { redoc: 'redoc/bundles/redoc.standalone.js' },
    ),
    title: 'descale a kettle',
    end: '/#operation/descaleKettle',
    isShown: heading('descale a kettle'),
  },
  {
    builder: api(
      'drawn-swagger-ui',
      ['swagger-ui-dist@5.35.0'],
      `<div id="ui"></div><script src="swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: 'openapi.json', dom_id: '#ui', deepLinking: true })</script>`,
      { 'swagger-ui-bundle': 'swagger-ui-dist/swagger-ui-bundle.js' },
    ),
    title: 'descale a kettle',
    end: '/#/Hot%20Water/descaleKettle',
    isShown: `document.querySelector('.opblock.is-open')?.textContent.includes('descale a kettle')`,
  },
  {
    builder: api(
      'drawn-scalar',
      ['@scalar/api-reference@1.46.4'],
      '<script id="api-reference" data-url="openapi.json"></script><script src="scalar.js"></script>',
      { scalar: '@scalar/api-reference/dist/browser/standalone.js' },
    ),
    title: 'descale a kettle',
    end: '/#tag/hot-water/POST/kettles/%7Bid%7D/descale',
    isShown: heading('descale a kettle'),
  },
];
