import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseAtomFeed } from 'feedsmith';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { AccessPolicy } from '../../../src/domain/index.js';
import { TestServer } from '../../support/server.js';

const RIGHTS = { allowOverwrite: true, allowDelete: true, allowManage: true };
const TOKENS = new MemoryTokenRegistry([
  { name: 'all', secret: 'secret-all', ...RIGHTS },
  { name: 'half', secret: 'secret-half', projects: ['closed'] },
]);
const NOBODY = { people: new Set<string>(), groups: new Set<string>() };
const access = {
  policy: new AccessPolicy({ default: 'public', projects: new Map([['closed*', NOBODY]]) }, '1'),
};
const ADDRESS = 'https://docs.example.org/docs';
const FEED = '/-/feed.atom';
const feedOf = (project: string) => `/-/projects/${project}/feed.atom`;

describe('The feeds', () => {
  let server: TestServer;
  const change = async (method: string, path: string) => {
    const response = await server.fetch(`/api/${path}`, { method, headers: { 'X-Token': 'secret-all' } });
    assert.ok(response.ok, await response.text());
  };
  before(async () => {
    server = await TestServer.start({
      ...{ tokens: TOKENS, keepRemovedMs: 3_600_000, access },
      ...{ origin: 'https://docs.example.org', basePath: '/docs' },
    });
    const names = ['open-1.0', 'open-1.1', 'open-1.2', 'open-1.3', 'open-1.4', 'open-1.1', 'open~pr-1'];
    names.push('open-0.1', 'closed-1.0', 'closed-gone-1.0', 'gone-1.0', 'hidden-1.0', 'hidden-1.1');
    for (const name of names) {
      assert.ok((await server.upload(`${name}-docs.zip`, { 'index.html': name }, 'all')).ok, name);
    }
    await change('PUT', 'hidden/open/0.1');
    await change('PUT', 'hidden/open/1.4');
    for (const version of ['1.0', '1.1']) await change('PUT', `hidden/hidden/${version}`);
    // The first is removed while it is shown, the second while it is hidden; the third for good.
    for (const of of [
      'open/1.2',
      'open/1.4',
      'open/1.3?purge=true',
      'hidden/1.1',
      'gone/1.0',
      'closed-gone/1.0',
    ]) {
      await change('DELETE', `delete/${of}`);
    }
  });
  after(() => server.close());

  const ask = (path: string, who: string | undefined, headers: Record<string, string> = {}) =>
    server.get(path, { ...headers, ...(who === undefined ? {} : { 'X-Token': `secret-${who}` }) });
  /** Status, and what a reader of feeds finds: kinds and titles of the entries. */
  async function seen(path: string, who: string | undefined) {
    const response = await ask(path, who);
    if (response.status !== 200) return response.status;
    const { entries = [] } = parseAtomFeed(await response.text());
    return entries.map(({ title }) => title?.value ?? title).sort();
  }

  const OPEN = ['Open 1.0 was published', 'Open 1.1 was replaced', 'Open 1.2 was removed'];
  const CLOSED = ['Closed 1.0 was published'];
  const ROWS: readonly (readonly [
    path: string,
    who: string | undefined,
    found: readonly string[] | number,
  ])[] = [
    [FEED, undefined, ['Gone 1.0 was removed', ...OPEN]],
    [FEED, 'half', [...CLOSED, 'Gone 1.0 was removed', ...OPEN]],
    [FEED, 'all', [...CLOSED, 'Closed gone 1.0 was removed', 'Gone 1.0 was removed', ...OPEN]],
    [feedOf('open'), undefined, OPEN],
    [feedOf('open'), 'half', OPEN],
    [feedOf('closed'), undefined, 404],
    [feedOf('closed'), 'half', CLOSED],
    [feedOf('hidden'), 'all', 404],
    [feedOf('gone'), 'all', 404],
    [feedOf('none'), undefined, 404],
    [FEED, 'wrong', 401],
  ];
  for (const [path, who = undefined, found] of ROWS) {
    it(`show only readable versions: ${path} to ${who ?? 'nobody'}`, async () => {
      assert.deepEqual(await seen(path, who), typeof found === 'number' ? found : [...found].sort());
    });
  }

  it('respond for a private project as for a missing one', async () => {
    const [one, other] = await Promise.all(['closed', 'nothing'].map((name) => ask(feedOf(name), undefined)));
    const told = async (response: Response | undefined, name: string) => [
      response?.status,
      (await response?.text())?.replaceAll(name, '').replace(/[0-9a-f-]{36}/g, ''),
    ];
    assert.deepEqual(await told(one, 'closed'), await told(other, 'nothing'));
  });

  it('have absolute addresses below the public one, and ids of the publication', async () => {
    const {
      id,
      links,
      entries = [],
      updated,
      authors,
    } = parseAtomFeed(await (await ask(feedOf('open'), undefined)).text());
    const page = `${ADDRESS}/-/projects/open`;
    assert.equal(id, `${page}/feed.atom`);
    assert.deepEqual(
      links?.map(({ rel, href }) => [rel, href]),
      [
        ['self', id],
        ['alternate', page],
      ],
    );
    assert.deepEqual(
      authors?.map(({ name }) => name),
      ['Lectern'],
    );
    assert.equal(updated, entries[0]?.updated);
    assert.deepEqual(
      entries.map((entry) => entry.links?.[0]?.href).sort(),
      [page, `${ADDRESS}/open-1.0/`, `${ADDRESS}/open-1.1/`].sort(),
    );
    assert.equal(new Set(entries.map((entry) => entry.id)).size, entries.length);
    const all = parseAtomFeed(await (await ask(FEED, undefined)).text());
    for (const entry of entries)
      assert.ok(
        all.entries?.some((each) => each.id === entry.id),
        entry.id,
      );
  });

  it('are 304 until a change that the reader may see, and HEAD as GET', async () => {
    const first = await ask(FEED, undefined);
    const etag = first.headers.get('ETag') ?? '';
    assert.match(first.headers.get('Content-Type') ?? '', /^application\/atom\+xml/);
    assert.equal(first.headers.get('Cache-Control'), 'no-cache');
    const head = await server.fetch(FEED, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('ETag'), await head.text()], [200, etag, '']);
    const isSame = async () => (await ask(FEED, undefined, { 'If-None-Match': etag })).status === 304;
    assert.equal(await isSame(), true);
    await server.upload('closed-1.1-docs.zip', { 'index.html': 'x' }, 'all');
    assert.equal(await isSame(), true, 'a private project tells nothing');
    await server.upload('open~pr-2-docs.zip', { 'index.html': 'x' }, 'all');
    assert.equal(await isSame(), true, 'a preview tells nothing');
    const mine = await ask(FEED, 'half');
    assert.match(mine.headers.get('Cache-Control') ?? '', /^private/);
    await change('DELETE', 'delete/gone/1.0?purge=true');
    assert.equal(await isSame(), false);
    assert.deepEqual(await seen(FEED, undefined), OPEN);
  });

  it('have at most the fifty newest changes, and are well-formed with any title', async (t) => {
    const big = await TestServer.start({ tokens: TOKENS });
    t.after(() => big.close());
    const site = { 'index.html': '<title>&lt;b> &amp; "quoted" &#7; ]]&gt; 文</title>x' };
    for (let n = 0; n < 51; n++) {
      assert.equal((await big.upload(`p-1.${n}-docs.zip`, site, 'all')).status, 201);
    }
    const text = await (await big.get(FEED)).text();
    const { entries = [] } = parseAtomFeed(text);
    assert.equal(entries.length, 50);
    assert.ok(
      entries.every(({ links }) => !links?.[0]?.href?.includes('/p-1.0/')),
      'the oldest is left out',
    );
    assert.match(
      entries[0]?.title?.value ?? String(entries[0]?.title),
      /^<b> & "quoted" .*\]\]> 文 1\.50 was published$/,
    );
    assert.doesNotMatch(text, /<b>|\u0007|& /);
    // Without --public-url, addresses are those of the host that was asked.
    assert.ok(text.includes(`<id>${big.url}${FEED}</id>`));
  });

  it('are linked from the head of the index and of the project page', async () => {
    for (const [path, href] of [
      ['/', '/docs/-/feed.atom'],
      ['/-/projects/open', '/docs/-/projects/open/feed.atom'],
    ] as const) {
      const page = await (await server.get(path)).text();
      const [link = ''] = /<link rel="alternate" type="application\/atom\+xml"[^>]*>/.exec(page) ?? [];
      assert.ok(link.includes(`href="${href}"`), path);
    }
  });

  it("redirect from a project's host to the main host", async (t) => {
    const hosted = await TestServer.start({
      ...{
        tokens: TOKENS,
        origin: 'https://example.org',
        hosts: { domain: 'docs.example.org', isRedirecting: true },
      },
    });
    t.after(() => hosted.close());
    await hosted.upload('open-1.0-docs.zip', { 'index.html': 'x' }, 'all');
    const there = await hosted.get(feedOf('open'), { Host: 'open.docs.example.org' });
    assert.deepEqual(
      [there.status, there.headers.get('Location')],
      [302, `https://example.org${feedOf('open')}`],
    );
    const { entries } = parseAtomFeed(await (await hosted.get(feedOf('open'))).text());
    assert.deepEqual(entries?.[0]?.links?.[0]?.href, 'https://1-0--open.docs.example.org/');
  });
});
