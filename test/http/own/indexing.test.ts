import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AppParts } from '../../../src/adapters/http/app-parts.js';
import { PublicAddress } from '../../../src/adapters/http/index.js';
import { sites } from '../../../src/adapters/http/sites/sites.js';
import { SwitcherTag } from '../../../src/adapters/http/sites/switcher-tag.js';
import { CanonicalPage, FindPage, SiteAddresses, type StoredFile } from '../../../src/application/index.js';
import {
  ANYBODY,
  Catalogue,
  isListed,
  NO_SETTINGS,
  Project,
  SitePath,
  withHidden,
} from '../../../src/domain/index.js';
import { askedFor } from '../../support/asked.js';
import { canonicalIn } from '../../support/canonical.js';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { makeVersion } from '../../web/samples.js';

const ORIGIN = 'https://docs.example.org';
const page = (text: string) => `<!doctype html><title>${text}</title>${'<p>text</p>'.repeat(300)}`;

/** Publishes two versions: `gone.html` is in the first only, and `moved.html` is elsewhere in the second. */
async function publish(server: TestServer): Promise<void> {
  const both = { 'index.html': page('front'), 'guide/index.html': page('guide'), 'a b.html': page('a b') };
  await server.upload('tool-1.0-docs.zip', {
    ...both,
    'gone.html': page('gone'),
    'moved.html': page('moved'),
    'data.json': '{}',
  });
  await server.upload('tool-2.0-docs.zip', {
    ...both,
    'there.html': page('there'),
    '404.html': page('own 404'),
    _redirects: '/moved.html /there.html 301\n',
  });
}

async function told(server: TestServer, path: string) {
  const answer = await server.get(path);
  await answer.arrayBuffer();
  return [canonicalIn(answer.headers.get('link')), answer.headers.get('x-robots-tag')];
}

const canonical = (path: string) => [`<${ORIGIN}${path}>; rel="canonical"`, null];
const NOT_INDEXED = [null, 'noindex'];
const NOTHING = [null, null];

for (const cacheBytes of [0, 10_000_000]) {
  describe(`A server with --public-url, ${cacheBytes === 0 ? 'without' : 'with'} the memory cache,`, () => {
    let server: TestServer;
    before(async () => {
      server = await TestServer.start({ origin: ORIGIN, cacheBytes });
      await publish(server);
    });
    after(() => server.close());

    it("names a page's address in the latest version as canonical, under every name of its version", async () => {
      for (let round = 0; round < 2; round++) {
        for (const version of ['1.0', '2.0', 'latest']) {
          const to = (path: string) => told(server, `/tool-${version}/${path}`);
          assert.deepEqual(await to(''), canonical('/tool-latest/'));
          assert.deepEqual(await to('index.html'), canonical('/tool-latest/'));
          assert.deepEqual(await to('guide/'), canonical('/tool-latest/guide/'));
          assert.deepEqual(await to('a%20b.html'), canonical('/tool-latest/a%20b.html'));
        }
        assert.deepEqual(await told(server, '/tool-1.0/moved.html'), canonical('/tool-latest/there.html'));
      }
    });

    it('sends noindex with a page that the latest version lacks, and not with other files', async () => {
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await told(server, '/tool-1.0/gone.html'), NOT_INDEXED);
        assert.deepEqual(await told(server, '/tool-1.0/data.json'), NOTHING);
      }
      assert.equal((await server.get('/tool-2.0/nothing')).headers.get('link'), null);
    });

    it('updates canonical addresses with a new latest version, and with its end', async () => {
      assert.deepEqual(await told(server, '/tool-1.0/gone.html'), NOT_INDEXED);
      await server.upload('tool-3.0-docs.zip', { 'index.html': page('3'), 'gone.html': page('back') });
      assert.deepEqual(await told(server, '/tool-1.0/gone.html'), canonical('/tool-latest/gone.html'));
      assert.deepEqual(await told(server, '/tool-2.0/guide/'), NOT_INDEXED);
      await server.delete('tool/3.0');
      assert.deepEqual(await told(server, '/tool-1.0/gone.html'), NOT_INDEXED);
      assert.deepEqual(await told(server, '/tool-2.0/guide/'), canonical('/tool-latest/guide/'));
    });

    it('sends the same headers with 304 and HEAD', async () => {
      const first = await server.get('/tool-1.0/gone.html');
      const etag = first.headers.get('etag') ?? '';
      const again = await server.get('/tool-1.0/gone.html', { 'If-None-Match': etag });
      assert.deepEqual([again.status, again.headers.get('x-robots-tag')], [304, 'noindex']);
      const head = await server.fetch('/tool-1.0/guide/', { method: 'HEAD' });
      assert.equal(canonicalIn(head.headers.get('link')), canonical('/tool-latest/guide/')[0]);
    });
  });
}

describe('The sitemap', () => {
  it('lists the projects, and the pages of the latest version of each', async (t) => {
    const server = await TestServer.start({ origin: ORIGIN, basePath: '/docs' });
    t.after(() => server.close());
    await publish(server);
    await server.upload('quote-1.0-docs.zip', { 'index.html': 'x', "it's & more.html": 'x', 'a.css': '' });
    const index = await server.get('/sitemap.xml');
    assert.equal(index.headers.get('content-type'), 'application/xml; charset=utf-8');
    const locations = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at);
    assert.deepEqual(locations(await index.text()), [
      `${ORIGIN}/docs/sitemap.xml?project=quote`,
      `${ORIGIN}/docs/sitemap.xml?project=tool`,
    ]);
    const pages = await (await server.get('/sitemap.xml?project=tool')).text();
    assert.deepEqual(
      locations(pages),
      ['a%20b.html', 'guide/', '', 'there.html'].map((path) => `${ORIGIN}/docs/tool-latest/${path}`),
    );
    assert.match(pages, /<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
    const odd = await (await server.get('/sitemap.xml?project=quote')).text();
    assert.match(odd, /it(?:&apos;|%27)s%20(?:&amp;|%26)%20more\.html/);
    assert.equal((await server.get('/sitemap.xml?project=none')).status, 404);
    assert.match(
      await (await server.get('/robots.txt')).text(),
      new RegExp(`\nSitemap: ${ORIGIN}/docs/sitemap.xml\n$`),
    );
  });

  it('has pages listed after thousands of other files', async (t) => {
    const server = await TestServer.start({ origin: ORIGIN });
    t.after(() => server.close());
    const images = Array.from({ length: 5_001 }, (_, number) => [`_images/${number}.svg`, ''] as const);
    await server.upload('atlas-1.0-docs.zip', { ...Object.fromEntries(images), 'world.html': page('world') });
    const pages = await (await server.get('/sitemap.xml?project=atlas')).text();
    assert.match(pages, new RegExp(`<loc>${ORIGIN}/atlas-latest/world\\.html</loc>`));
  });

  it('has the current files of a copied-in directory, at most two seconds late', async (t) => {
    const server = await TestServer.start({ origin: ORIGIN });
    t.after(() => server.close());
    const guide = join(server.docs, 'notes-1.0', 'guide');
    await mkdir(guide, { recursive: true });
    await writeFile(join(guide, 'one.html'), 'x');
    await server.shows('/notes-1.0/guide/one.html');
    const sitemap = async () => (await server.get('/sitemap.xml?project=notes')).text();
    assert.match(await sitemap(), /one\.html/);
    // In a directory below: the time stamps of the version's own do not change.
    await rename(join(guide, 'one.html'), join(guide, 'two.html'));
    await until(async () => (await sitemap()).includes('two.html'));
    assert.doesNotMatch(await sitemap(), /one\.html/);
  });

  it('exists only with a public address, since its addresses are absolute', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await publish(server);
    assert.equal((await server.get('/sitemap.xml')).status, 404);
    assert.doesNotMatch(await (await server.get('/robots.txt')).text(), /Sitemap/);
    assert.deepEqual(await told(server, '/tool-1.0/gone.html'), NOTHING);
  });
});

describe('An archive', () => {
  it('is kept from crawlers, at each of its addresses', async (t) => {
    const server = await TestServer.start({ origin: ORIGIN, basePath: '/docs' });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip');
    for (const path of [
      '/tool-1.0-docs.zip',
      '/tool-latest-docs.zip',
      '/api/download/tool/1.0',
      '/api/download/tool/latest',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await server.fetch(path, { method });
        assert.deepEqual([answer.status, answer.headers.get('x-robots-tag')], [200, 'noindex'], path);
      }
      const part = await server.get(path, { Range: 'bytes=0-1' });
      assert.deepEqual([part.status, part.headers.get('x-robots-tag')], [206, 'noindex'], path);
    }
    assert.equal(
      await (await server.get('/robots.txt')).text(),
      `User-agent: *\nDisallow: /docs/api/\nDisallow: /docs/-/\nDisallow: /docs/*-docs.zip$\nSitemap: ${ORIGIN}/docs/sitemap.xml\n`,
    );
  });
});

describe('A server with --no-indexing', () => {
  it('sends noindex everywhere: on pages, from memory too, own pages, the API and robots.txt', async (t) => {
    const server = await TestServer.start({ origin: ORIGIN, indexing: false });
    t.after(() => server.close());
    await publish(server);
    for (const path of [
      '/',
      '/tool-latest/',
      '/tool-latest/',
      '/help',
      '/api/version',
      '/nothing',
      '/tool-1.0-docs.zip',
    ]) {
      assert.equal((await told(server, path))[1], 'noindex', path);
    }
    assert.equal(await (await server.get('/robots.txt')).text(), 'User-agent: *\nDisallow: /\n');
    assert.equal((await server.get('/sitemap.xml')).status, 404);
  });
});

describe('A hidden version', () => {
  const [old, latest] = [makeVersion('tool', '1.0'), makeVersion('tool', '2.0')];
  const hiding = (isHidden: boolean) =>
    new Project('tool', [old, latest], withHidden(NO_SETTINGS, '1.0', isHidden));
  const path = SitePath.of('index.html') ?? assert.fail();
  const file: StoredFile = {
    size: 0,
    modifiedAt: new Date(0),
    etag: 'x',
    async *stream() {},
    async close() {},
  };
  const files = {
    open: async () => ({ kind: 'file' as const, file }),
    listFiles: async () => ({ paths: ['index.html'], more: false }),
  };
  const at = new PublicAddress('', ORIGIN);

  it('sends noindex, and its pages name no other version', async () => {
    assert.deepEqual(
      [false, true].map((isHidden) => isListed({ project: hiding(isHidden), version: old })),
      [true, false],
    );
    for (const isHidden of [true, false]) {
      const found = { kind: 'page', project: hiding(isHidden), version: old, path, file };
      const handle = sites({
        at,
        switcher: new SwitcherTag(false, at),
        useCases: {
          readPage: { execute: async () => found },
          canonicalPage: new CanonicalPage(new FindPage(files), new SiteAddresses(files)),
        },
      } as unknown as AppParts);
      const answer = await handle(askedFor({ seenBy: () => Catalogue.empty.seenBy(ANYBODY, new Date()) }));
      assert.equal(answer?.headers?.['X-Robots-Tag'], isHidden ? 'noindex' : undefined);
      assert.equal(canonicalIn(answer?.headers?.Link ?? null) === null, isHidden);
    }
  });
});
