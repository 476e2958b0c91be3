import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { AS, withPrivate } from '../../support/private-projects.js';
import { type Json, TestServer } from '../../support/server.js';
import { SITE_WITH_DEAD_LINKS as SITE } from '../../support/site-with-dead-links.js';
import { until } from '../../support/until.js';

const REDIRECT = '/frnt%20page.html /front%20page.html 301';
const FRNT = {
  target: 'frnt page.html',
  missing: 'page',
  closest: 'front page.html',
  redirect: REDIRECT,
};

for (const basePath of ['', '/docs']) {
  describe(`The dead links of a version, ${basePath === '' ? 'at the root' : 'below a base path'},`, () => {
    let server: TestServer;
    before(async () => {
      server = await TestServer.start({ basePath });
      await server.upload('tool-1.0-docs.zip', SITE);
      await server.upload('tool-2.0-docs.zip', SITE);
      await server.upload('tool~pr-7-docs.zip', SITE);
    });
    after(() => server.close());

    const get = (path: string) => server.get(basePath + path);

    it('are counted on the page of the project and in its details, for the latest version', async () => {
      assert.equal((await server.json(`${basePath}/api/projects/tool`)).dead_links, 4);
      const page = await (await get('/-/projects/tool')).text();
      const [, href] = /<a class="quiet-link" href="([^"]*)">4 dead links</.exec(page) ?? [];
      assert.equal(href, `${basePath}/-/check/tool/2.0`);
    });

    it('are returned by the API, by page, with redirect rules that would repair them', async () => {
      assert.deepEqual(await server.json(`${basePath}/api/check/tool/latest`), {
        project: 'tool',
        version: '2.0',
        checked: true,
        pages: 3,
        links: 5,
        dead: 4,
        by_page: [
          {
            path: 'guide.html',
            url: `${basePath}/tool-2.0/guide.html`,
            links: [
              { link: 'frnt%20page.html', ...FRNT },
              { link: '#Guide', target: 'guide.html#Guide', missing: 'anchor', closest: 'guide' },
            ],
          },
          {
            path: 'index.html',
            url: `${basePath}/tool-2.0/`,
            links: [
              { link: 'frnt%20page.html#top', ...FRNT },
              { link: 'nothing/', target: 'nothing/', missing: 'page' },
            ],
          },
        ],
        more: false,
      });
      const { version, by_page } = await server.json(`${basePath}/api/check/tool/~pr-7`);
      assert.deepEqual([version, by_page[0].url], ['~pr-7', `${basePath}/tool~pr-7/guide.html`]);
    });

    it('are shown on a page without scripts, with noindex', async () => {
      const response = await get('/-/check/tool/latest');
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('x-robots-tag'), 'noindex');
      const html = await response.text();
      assert.match(html, /4 dead links in 3 pages/);
      assert.equal(html.split(REDIRECT).length, 2, 'each line once');
      assert.match(html, new RegExp(`href="${basePath}/tool-2.0/front%20page.html"`));
      assert.match(html, new RegExp(`href="${basePath}/tool-2.0/guide.html#guide"`));
    });

    it('are 304 for an unchanged copy, and 404 for a missing version', async () => {
      for (const path of ['/api/check/tool/2.0', '/-/check/tool/2.0']) {
        const etag = (await get(path)).headers.get('etag') ?? '';
        assert.equal((await server.get(basePath + path, { 'If-None-Match': etag })).status, 304);
      }
      for (const [place, error] of [
        ['tool/9', 'version_not_found'],
        ['tool/~pr-8', 'preview_not_found'],
        ['none/1.0', 'project_not_found'],
      ] as const) {
        const answer = await get(`/api/check/${place}`);
        assert.deepEqual([answer.status, ((await answer.json()) as Json).error], [404, error]);
        assert.equal((await get(`/-/check/${place}`)).status, 404);
      }
    });
  });
}

describe('A check of links', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('lists many dead links in parts, also of one page', async () => {
    const links = Array.from({ length: 600 }, (_, index) => `<a href="missing-${index}.html">x</a>`).join('');
    await server.upload('many-1.0-docs.zip', { 'a.html': links, 'b.html': links, 'missing.html': 'x' });
    const partOf = ({ by_page, more }: Json) => [
      by_page.map((page: Json) => [page.path, page.links.length]),
      more,
    ];
    const first = await server.json('/api/check/many/1.0');
    const parts = [
      ['a.html', 600],
      ['b.html', 400],
    ];
    assert.deepEqual([first.dead, ...partOf(first)], [1_200, parts, true]);
    const second = await server.json('/api/check/many/1.0?offset=1000');
    assert.deepEqual(partOf(second), [[['b.html', 200]], false]);
    const html = await (await server.get('/-/check/many/1.0?offset=400')).text();
    const shown = html.match(/No page <code><bdi>missing-\d+\.html/g);
    assert.deepEqual([shown?.length, shown?.[0]], [200, 'No page <code><bdi>missing-400.html']);
    assert.doesNotMatch(html, /\?offset=/);
    assert.match(
      await (await server.get('/-/check/many/1.0')).text(),
      /href="\/-\/check\/many\/1\.0\?offset=200"/,
    );
    for (const index of [0, 599]) {
      assert.equal(html.split(`/missing-${index}.html /missing.html 301`).length, 2, 'lines of all links');
    }
  });

  it('reports that none exist, or that nothing is checked', async (context) => {
    const off = await TestServer.start({ linkCheck: false });
    context.after(() => off.close());
    for (const each of [server, off]) await each.upload('clean-1.0-docs.zip', { 'index.html': 'front' });
    assert.match(await (await server.get('/-/check/clean/1.0')).text(), /No dead links in 1 page</);
    assert.doesNotMatch(await (await server.get('/-/projects/clean')).text(), /dead link/);
    assert.match(await (await off.get('/-/check/clean/1.0')).text(), /are not checked/);
    assert.deepEqual(await off.json('/api/check/clean/1.0'), {
      project: 'clean',
      version: '1.0',
      checked: false,
      pages: 0,
      links: 0,
      dead: 0,
      by_page: [],
      more: false,
    });
    assert.equal((await off.json('/api/projects/clean')).dead_links, undefined);
  });

  it('shows no numbers of earlier checks where links are not checked any more', async (context) => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-links-'));
    context.after(() => rm(docs, { recursive: true }));
    const on = await TestServer.start({ docs });
    await on.upload('tool-1.0-docs.zip', SITE);
    assert.equal((await on.json('/api/projects/tool')).dead_links, 4);
    await on.close();
    const off = await TestServer.start({ docs, linkCheck: false });
    context.after(() => off.close());
    assert.equal((await off.json('/api/projects/tool')).dead_links, undefined);
    assert.doesNotMatch(await (await off.get('/-/projects/tool')).text(), /dead link/);
  });

  it("is private to the project's readers", async (context) => {
    const closed = await TestServer.start(withPrivate());
    context.after(() => closed.close());
    await closed.upload('vault-1.0-docs.zip', SITE);
    for (const project of ['vault', 'none']) {
      const answer = await closed.get(`/api/check/${project}/1.0`);
      const { error } = (await answer.json()) as Json;
      assert.deepEqual([answer.status, error], [404, 'project_not_found']);
      assert.equal((await closed.get(`/-/check/${project}/1.0`)).status, 404);
    }
    for (const path of ['/api/check/vault/1.0', '/-/check/vault/1.0']) {
      assert.equal((await closed.get(path, AS.ann)).status, 200, path);
    }
  });
});

describe('Dead links between projects', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ ...withPrivate(), basePath: '/docs', houseLinks: true });
    const page = (link: string) => ({ 'index.html': `<a href="${link}">link</a>` });
    await server.upload('vault-1.0-docs.zip', page('/docs/open-latest/old.html'));
    await server.upload('open-1.0-docs.zip', page('/docs/vault-1.0/'));
    await server.upload('shown-1.0-docs.zip', page('../open-1.0/gone/'));
  });
  after(() => server.close());

  const lookedUp = async (headers: Record<string, string>) => {
    let found: Json;
    await until(async () => {
      found = await server.json('/docs/api/check/open/1.0', headers);
      return found.others.checked;
    });
    return found;
  };
  const here = { version: '1.0', page: 'index.html', missing: 'page' };
  const ofShown = { ...here, project: 'shown', url: '/docs/shown-1.0/', link: '../open-1.0/gone/' };
  const ofVault = { ...here, project: 'vault', url: '/docs/vault-1.0/', link: '/docs/open-latest/old.html' };

  it('are shown to readers of both projects', async () => {
    const { others, broken_links_here } = await lookedUp(AS.ann);
    assert.deepEqual(others, { checked: true, dead: 0, links: [] });
    assert.deepEqual(broken_links_here, [ofShown, ofVault]);
    const html = await (await server.get('/docs/-/check/open/1.0', AS.ann)).text();
    assert.match(html, /lead nowhere in <bdi>/);
    assert.match(html, /href="\/docs\/vault-1\.0\/"/);
  });

  it('reveal nothing of a private project: links to it count as dead, and its own are hidden', async () => {
    const { others, broken_links_here } = await lookedUp(AS.bob);
    const link = { page: 'index.html', url: '/docs/open-1.0/', link: '/docs/vault-1.0/', missing: 'project' };
    assert.deepEqual(others, { checked: true, dead: 1, links: [link] });
    assert.deepEqual(broken_links_here, [ofShown]);
    const html = await (await server.get('/docs/-/check/open/1.0', AS.bob)).text();
    assert.match(html, /1 dead link to other projects and versions/);
    assert.doesNotMatch(html, /vault-1\.0\/index|open-latest\/old/);
  });
});
