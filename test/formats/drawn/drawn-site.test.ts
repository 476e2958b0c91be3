import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawnSiteOf, withScript } from '../../../src/formats/drawn/drawn-site.js';
import { DOCSIFY, REDOC, STORYBOOK } from '../../support/drawn-files.js';

const among =
  (...paths: readonly string[]) =>
  (path: string) =>
    paths.includes(path);
const siteIn = (files: Readonly<Record<string, string>>) =>
  drawnSiteOf(files['index.html'] ?? '', (path) => path in files);
const openApi = (viewer: string, data: string) => ({ kind: 'openapi', viewer, data });
const docsify = (directory: string, homepage: string) => ({ kind: 'docsify', directory, homepage });

describe('The front page of a site', () => {
  it('reveals that Storybook, docsify or Redoc draws the site', () => {
    assert.deepEqual(siteIn(STORYBOOK), { kind: 'storybook', data: 'index.json' });
    assert.deepEqual(siteIn(DOCSIFY), docsify('', 'README.md'));
    assert.deepEqual(siteIn(REDOC), openApi('redoc', 'api/openapi.json'));
  });

  for (const [name, html, data, viewer] of [
    ['Redoc.init', `<script>Redoc.init('openapi.yaml', {}, el)</script>`, 'openapi.yaml', 'redoc'],
    [
      'SwaggerUIBundle',
      `<script>SwaggerUIBundle({ url: "./openapi.json" })</script>`,
      'openapi.json',
      'swagger-ui',
    ],
    ['data-url', `<script id="api-reference" data-url="a%20b.json?v=1"></script>`, 'a b.json', 'scalar'],
    [
      'Scalar.createApiReference',
      `<script>Scalar.createApiReference('#app', { url: 'openapi.json' })</script>`,
      'openapi.json',
      'scalar',
    ],
  ] as const) {
    it(`names an OpenAPI description by ${name}, if the site has the file`, () => {
      assert.deepEqual(drawnSiteOf(html, among(data)), openApi(viewer, data));
      assert.equal(drawnSiteOf(html, among('other.json')), undefined);
    });
  }

  it("names Swagger UI's configuration script, which names the description", () => {
    const html =
      '<script src="./swagger-ui-bundle.js"></script><script src="./swagger-initializer.js"></script>';
    const hasFile = among('swagger-initializer.js', 'openapi.json');
    const site = drawnSiteOf(html, hasFile);
    assert.deepEqual(site, { kind: 'openapi', viewer: 'swagger-ui', script: 'swagger-initializer.js' });
    const configured = withScript(site, 'SwaggerUIBundle({\n url: "openapi.json" })', hasFile);
    assert.deepEqual(configured, { ...site, data: 'openapi.json' });
    const elsewhere = withScript(site, 'SwaggerUIBundle({ url: "https://a.example/openapi.json" })', hasFile);
    assert.deepEqual(elsewhere, site);
  });

  for (const address of [
    'https://a.example/a.json',
    '//a.example/a.json',
    '/a.json',
    '../a.json',
    'a\\a.json',
    '%zz',
  ]) {
    it(`names no description at ${address}`, () => {
      assert.equal(
        drawnSiteOf(`<redoc spec-url="${address}"></redoc>`, () => true),
        undefined,
      );
    });
  }

  it('names the directory and the first page of docsify', () => {
    const page = (config: string) => `<script>window.$docsify = { ${config} }</script>`;
    const all = () => true;
    assert.deepEqual(
      drawnSiteOf(page(`basePath: './docs/', homepage: "home.md"`), all),
      docsify('docs/', 'docs/home.md'),
    );
    for (const config of [
      `basePath: 'https://a.example/'`,
      `basePath: '/docs/'`,
      `ext: '.markdown'`,
      `routerMode: 'history'`,
    ]) {
      assert.equal(drawnSiteOf(page(config), all), undefined, config);
    }
  });

  it('reveals nothing when the files are missing, or nothing draws', () => {
    assert.equal(drawnSiteOf(STORYBOOK['index.html'] ?? '', among('index.html', 'index.json')), undefined);
    assert.equal(drawnSiteOf(DOCSIFY['index.html'] ?? '', among('index.html')), undefined);
    assert.equal(
      drawnSiteOf('<h1>How we use docsify, Storybook and Redoc</h1>', () => true),
      undefined,
    );
  });

  it('is read in less than a second, whatever it contains', () => {
    for (const part of [
      '<script ',
      '<redoc spec-url="',
      'createApiReference(',
      '$docsify basePath: "',
      '<link modulepreload ',
    ]) {
      const startedAt = process.cpuUsage();
      drawnSiteOf(part.repeat(1_000_000 / part.length), () => true);
      const { user } = process.cpuUsage(startedAt);
      assert.ok(user < 1_000_000, `${part} takes ${user} µs`);
    }
  });
});
