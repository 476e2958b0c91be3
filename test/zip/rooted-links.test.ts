import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pageLinksOf } from '../../src/formats/html/page-links.js';
import { baseSettingOf, type RootedLinks, rootedLinksOf } from '../../src/formats/html/rooted-links.js';
import { WorkTime } from '../../src/formats/work-time.js';
import { assertEnds } from '../support/assert-ends.js';
import { unpacking } from './unpacking.js';

const FILES = new Set(['assets/main.css', 'app.js', 'guide.html', 'api/index.html', 'a b.html']);
const ASSET = '<script src="/app.js"></script>';
const linksOf = (...pages: string[]) =>
  rootedLinksOf(
    pages.map((html) => pageLinksOf(html, new WorkTime(Number.POSITIVE_INFINITY))),
    (path) => FILES.has(path),
  );

describe('Links from the root of a host', () => {
  it('count when their target is in the site: as a file, a page or a directory', () => {
    for (const link of [
      '/assets/main.css',
      '/app.js?v=1',
      '/guide',
      '/guide.html#top',
      '/api/',
      '/a%20b.html',
    ]) {
      assert.equal(linksOf(`${ASSET}<a href="${link}">x</a>`)?.links, 2, link);
    }
    assert.deepEqual(
      linksOf(
        `<link rel=stylesheet href=styles.css> <a\nhref=/guide>`,
        '<p>none',
        `<a href = "/api"><script src='/app.js?v=2'></script>`,
      ),
      { base: '/', links: 3, pages: 2, example: '/app.js', builder: undefined },
    );
  });

  it('do not count when they lead elsewhere: to other projects, hosts or the index', () => {
    for (const link of [
      '/',
      '//assets/main.css',
      '/\\assets/main.css',
      '/other-latest/',
      'app.js',
      '/%zz',
      '#a',
    ]) {
      assert.equal(linksOf(`${ASSET}<a href="${link}">x</a>`)?.links, 1, link);
      assert.equal(linksOf(`<script src="${link}"></script>`), undefined, link);
    }
  });

  it('reveal the base: the prefix of paths that load styles and scripts', () => {
    const cases: readonly (readonly [html: string, base: string | undefined])[] = [
      ['<script src="/tool-1.0/app.js"></script>', '/tool-1.0/'],
      ['<script src="/docs/tool-1.0/app.js?v=1"></script><a href="/other-1.0/guide">', '/docs/tool-1.0/'],
      ['<link rel=stylesheet href="/tool-1.0/assets/main.css">', '/tool-1.0/'],
      ['<link rel=modulepreload href="/tool-1.0/app.js">', '/tool-1.0/'],
      ['<link rel=preload as=script href="/tool-1.0/app.js">', '/tool-1.0/'],
      ['<link rel=preload as=image href="/tool-1.0/app.js">', undefined],
      ['<a href="/tool-1.0/guide.html">', undefined],
      ['<script src="/tool-1.0/other.js"></script>', undefined],
      ['<base href="/tool-1.0/"><script src="app.js"></script>', '/tool-1.0/'],
      ['<base href="/tool-1.0/api/"><script src="../app.js"></script>', '/tool-1.0/'],
      ['<base href="/tool-1.0/"><p>drawn by an inline script', '/tool-1.0/'],
      ['<base href="/"><script src="app.js"></script>', '/'],
      ['<base href="./"><script src="app.js"></script>', undefined],
      ['<base href="//host/tool-1.0/">', undefined],
      ['<base href="https://host/tool-1.0/">', undefined],
      [`<script src="/${'a/'.repeat(9)}app.js"></script>`, undefined],
      [`<script src="/${'a'.repeat(400)}/app.js"></script>`, undefined],
    ];
    for (const [html, base] of cases) assert.equal(linksOf(html)?.base, base, html);
    const most = '<script src="/b/app.js"></script>';
    assert.equal(linksOf('<script src="/a/app.js"></script>', most, most)?.base, '/b/');
  });

  it('reveal nothing about a build without a style sheet or a script among them', () => {
    for (const html of [
      '<a href="/guide.html">',
      '<a href="/assets/main.css">',
      '<link rel="next" href="/guide.html"><link rel="icon" href="/assets/main.css">',
      `<!-- ${ASSET} --><a href="/guide">`,
      `<script>document.write('<link rel=stylesheet href="/assets/main.css">')</script><a href="/guide">`,
    ]) {
      assert.equal(linksOf(html), undefined, html);
    }
    for (const html of ['<link rel="alternate StyleSheet" href="/assets/main.css">', ASSET]) {
      assert.equal(linksOf(html)?.links, 1, html);
    }
  });

  it('reveal the builder, and its setting', () => {
    const cases: readonly (readonly [html: string, builder: string, setting: RegExp])[] = [
      [
        '<meta name="generator" content="Docusaurus v3.10.2">',
        'Docusaurus',
        /^baseUrl: '\/t-1\.0\/' in docusaurus/,
      ],
      ['<meta content="VitePress v1.6.4" name="generator">', 'VitePress', /^base: '\/t-1\.0\/'/],
      ['<meta name=generator content="Astro v5.1">', 'Astro', /^base: '\/t-1\.0\/'/],
      ['<meta name="generator" content="Hugo 0.140.0">', 'Hugo', /relativeURLs/],
      ['<meta name="generator" content="Rspress v2.0.22">', 'Rspress', /--base \/t-1\.0\/$/],
      ['<meta name="generator" content="Jekyll v4.3">', 'Jekyll', /--baseurl \/t-1\.0$/],
    ];
    for (const [html, builder, setting] of cases) {
      const found = linksOf(`${html}${ASSET}`);
      assert.equal(found?.builder, builder);
      assert.match(baseSettingOf(found?.builder, '/t-1.0/') ?? '', setting);
    }
    const byLink: readonly (readonly [link: string, builder: string | undefined, setting: string])[] = [
      ['/_next/static/a.js', 'Next.js', "basePath: '/t-1.0' in next.config.js"],
      ['/_nuxt/entry.D-WPUXN0.css', 'Nuxt', "app.baseURL: '/t-1.0/' in nuxt.config.ts"],
      ['/assets/index-B7_x-a1Z.js', 'Vite', "base: './' in vite.config.js"],
      ['/old-1.0/assets/index-B7_x-a1Z.css', 'Vite', "base: './' in vite.config.js"],
      ['/static/js/main.0a1b2c3d.js', 'Create React App', '"homepage": "." in package.json'],
      ['/assets/index.js', undefined, ''],
      ['/assets/deep/index-B7_x-a1Z.js', undefined, ''],
    ];
    for (const [link, builder, setting] of byLink) {
      const asset = link.endsWith('js') ? `<script src="${link}">` : `<link rel=stylesheet href="${link}">`;
      const isOfSite = (path: string) => !path.startsWith('old');
      const found = rootedLinksOf([pageLinksOf(asset, new WorkTime(Number.POSITIVE_INFINITY))], isOfSite);
      assert.equal(found?.builder, builder, link);
      assert.equal(baseSettingOf(found?.builder, '/t-1.0/') ?? '', setting);
    }
    assert.equal(baseSettingOf(undefined, '/t-1.0/'), undefined);
  });

  it('are found in linear time, in pages made to take longer', () => {
    assertEnds(() => {
      for (const part of [
        '<meta ',
        '<meta name=generator ',
        ' href',
        ' href=',
        ' href=/',
        ' href="/a',
        '<meta content=',
        '<script src=/app.js>',
        '<script src=/app.js></script>',
        '<link rel=stylesheet href=/app.js ',
        '<!--',
      ]) {
        linksOf(part.repeat(256_000 / part.length));
      }
    });
  });
});

describe('An archive of a site for the root of a host', () => {
  const archive = unpacking();
  const rootedLinksIn = (files: Readonly<Record<string, string>>) =>
    archive.found(files, ({ rootedLinks }) => rootedLinks);
  const page =
    '<meta name="generator" content="VitePress v1.6.4"><link rel="stylesheet" href="/assets/a.css">';

  it('is detected by the worker, by unpacking or indexing, also below a single directory', async () => {
    const expected: RootedLinks = {
      base: '/',
      links: 1,
      pages: 1,
      example: '/assets/a.css',
      builder: 'VitePress',
    };
    assert.deepEqual(await rootedLinksIn({ 'index.html': page, 'assets/a.css': '' }), expected);
    assert.deepEqual(await rootedLinksIn({ 'dist/index.html': page, 'dist/assets/a.css': '' }), expected);
    assert.equal(
      await rootedLinksIn({ 'index.html': page.replace('"/assets', '"assets'), 'assets/a.css': '' }),
      undefined,
    );
  });

  it('is detected in XHTML pages as well', async () => {
    const found = await rootedLinksIn({ 'index.xhtml': page, 'assets/a.css': '' });
    assert.equal(found?.links, 1);
  });

  it('is not detected by its 404.html, which MkDocs writes for the root of a host beside relative pages', async () => {
    const relative = page.replace('"/assets', '"assets');
    for (const top of ['', 'site/']) {
      const files = { [`${top}index.html`]: relative, [`${top}404.html`]: page, [`${top}assets/a.css`]: '' };
      assert.equal(await rootedLinksIn(files), undefined);
    }
  });

  it('is not detected by its 404.html, whose own base is a separate fact', async () => {
    const found = await archive.found(
      { 'index.html': 'x', '404.html': page, 'assets/a.css': '' },
      ({ facts }) => facts,
    );
    assert.deepEqual([found.base, found.missingPageBase], [undefined, '/']);
  });

  it('is detected in a sample: the front page and ten others, none of them large', async () => {
    const files: Record<string, string> = {
      'assets/a.css': '',
      'index.html': page,
      'large.html': page + ' '.repeat(300_000),
    };
    for (let number = 0; number < 500; number++) files[`p/${number}.html`] = page;
    const found = await rootedLinksIn(files);
    assert.ok(found !== undefined && found.pages >= 10 && found.pages <= 11, JSON.stringify(found));
  });
});
