import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';

describe('The list of projects', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const info = (text: string) => ({ 'index.html': '', 'docinfo.yaml': text });
    await server.upload('tool-2.0.0-docs.zip');
    await server.upload('tool-1.10-docs.zip', info('name: Straßen-Werkzeug\ndescription: <b>not</b> HTML'));
    await server.upload('tool-1.9-docs.zip', info('name: Old Name'));
    await server.upload('tool-3.0.0-rc.1-docs.zip');
    await server.upload('alpha-main-docs.zip');
    await server.upload('alpha-dev-docs.zip');
  });
  after(async () => server.close());

  it('is sorted by directory name, with versions from the oldest to the newest', async () => {
    const { projects, count } = await server.json('/api/projects');
    assert.equal(count, 2);
    assert.deepEqual(
      projects.map((project: { id: string; versions: { version: string }[] }) => [
        project.id,
        project.versions.map(({ version }) => version),
      ]),
      [
        ['alpha', ['dev', 'main']],
        ['tool', ['1.9', '1.10', '2.0.0', '3.0.0-rc.1']],
      ],
    );
  });

  it('has every field of the specification', async () => {
    const [alpha, tool] = (await server.json('/api/projects')).projects;
    const { id, title, name, directory_name } = alpha;
    assert.deepEqual(
      { id, title, name, directory_name },
      { id: 'alpha', title: 'Alpha', name: 'alpha', directory_name: 'alpha' },
    );
    assert.equal(alpha.description, '');
    assert.equal(tool.latest_version_dir, 'tool-2.0.0');
    const { published_at, ...version } = tool.versions[1];
    assert.deepEqual(version, {
      version: '1.10',
      directory_name: 'tool-1.10',
      url: '/tool-1.10/',
      download_url: '/tool-1.10-docs.zip',
      stable: true,
      kind: 'release',
    });
    assert.ok(Math.abs(Date.parse(published_at) - Date.now()) < 60_000);
  });

  it('has group, tags, owner, repository and contact of a docinfo, and filters by group and tags', async () => {
    const labels = {
      group: 'Payments',
      tags: ['sdk', 'http'],
      owner: 'Team Blue',
      repository: 'https://git.example.org/pay',
      contact: 'pay@example.org',
    };
    const other = await TestServer.start();
    await other.upload('pay-1.0-docs.zip', { 'index.html': '', 'docinfo.json': JSON.stringify(labels) });
    await other.upload('plain-1.0-docs.zip');
    const found = async (query: string) =>
      (await other.json(`/api/projects${query}`)).projects.map(
        ({ directory_name }: { directory_name: string }) => directory_name,
      );
    const [pay, plain] = (await other.json('/api/projects')).projects;
    const { group, tags, owner, repository, contact } = pay;
    assert.deepEqual({ group, tags, owner, repository, contact }, labels);
    assert.deepEqual(
      Object.keys(labels).filter((label) => label in plain),
      [],
    );
    assert.deepEqual(await found('?group=payments'), ['pay']);
    assert.deepEqual(await found('?tag=HTTP&search=pa'), ['pay']);
    assert.deepEqual(await found('?tag=HTTP&search=plain'), []);
    assert.deepEqual(await found('?owner=team+blue'), ['pay']);
    assert.deepEqual(await found('?owner=team'), []);
    assert.deepEqual(await found('?group=&tag=&owner='), ['pay', 'plain']);
    for (const query of ['?group=a&group=b', '?tag=%ff']) {
      assert.equal((await other.get(`/api/projects${query}`)).status, 400, query);
    }
    await other.close();
  });

  it('takes name and description from the newest docinfo when the latest has none', async () => {
    const [, tool] = (await server.json('/api/projects')).projects;
    assert.deepEqual([tool.name, tool.description], ['Straßen-Werkzeug', '<b>not</b> HTML']);
  });

  it('uses the version published last as the latest when none has a number', async () => {
    const [alpha] = (await server.json('/api/projects')).projects;
    assert.equal(alpha.latest_version_dir, 'alpha-dev');
  });

  const SEARCHES: readonly [query: string, found: string[]][] = [
    ['?search=', ['alpha', 'tool']],
    ['?search', ['alpha', 'tool']],
    ['?other=x', ['alpha', 'tool']],
    ['?search=TOOL', ['tool']],
    ['?search=strassen', ['tool']],
    ['?search=STRA%C3%9FEN-', ['tool']],
    ['?search=l', ['alpha', 'tool']],
    ['?search=.*', []],
    ['?search=Old+Name', []],
    ['?search=%3Cb%3E', []],
    [`?search=${'a'.repeat(200)}`, []],
  ];
  for (const [query, found] of SEARCHES) {
    it(`has ${found.join(' and ') || 'nothing'} for ${query.slice(0, 40)}`, async () => {
      const { projects, count } = await server.json(`/api/projects${query}`);
      assert.deepEqual(
        projects.map((project: { directory_name: string }) => project.directory_name),
        found,
      );
      assert.equal(count, found.length);
    });
  }

  for (const query of ['?search=a&search=b', '?search=%E0%A4%A', '?search=%ff']) {
    it(`refuses the query ${query}`, async () => {
      const response = await server.get(`/api/projects${query}`);
      assert.equal(response.status, 400);
      assert.equal(((await response.json()) as { error: string }).error, 'invalid_request');
    });
  }

  for (const [what, term] of [
    ['201 characters', 'a'.repeat(201)],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['201 characters of two code units each', '\u{10400}'.repeat(201)],
    ['1,700 signs that stand for 18 letters each', '\ufdfa'.repeat(1_700)],
    ['45 signs that stand for 18 letters each', '\ufdfa'.repeat(45)],
  ] as const) {
    it(`refuses a search for ${what}, in the API and on the index`, async () => {
      const query = `?search=${encodeURIComponent(term)}`;
      const response = await server.get(`/api/projects${query}`);
      assert.equal(response.status, 400);
      assert.deepEqual(await response.json(), {
        success: false,
        error: 'invalid_request',
        message:
          "The value of 'search' is longer than 200 characters, or 800 once ligatures are spelled out; give a shorter part of the name",
      });
      const page = await server.get(`/${query}`);
      assert.equal(page.status, 400);
      assert.match(await page.text(), /longer than 200 characters, .* give a shorter part/);
    });
  }

  it('is complete for a search that matches everything, with the same ETag', async () => {
    const [whole, found] = await Promise.all(
      ['', '?search=l'].map(async (query) => {
        const response = await server.get(`/api/projects${query}`);
        return [response.headers.get('etag'), await response.text()];
      }),
    );
    assert.deepEqual(found, whole);
  });

  it('is 304 until something changes, compressed or not', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const headers = { 'Accept-Encoding': encoding };
      const etag = (await server.get('/api/projects', headers)).headers.get('etag') ?? '';
      const again = await server.get('/api/projects', { ...headers, 'If-None-Match': etag });
      assert.equal(again.status, 304);
      assert.equal(again.headers.get('etag'), etag);
      await server.upload(`${encoding}-1.0-docs.zip`);
      const changed = await server.get('/api/projects', { ...headers, 'If-None-Match': etag });
      assert.equal(changed.status, 200);
      await changed.arrayBuffer();
      await server.delete(`${encoding}/1.0`);
    }
  });

  it('is the same ahead of Koa and through it', async () => {
    const answer = async (method: string, headers: Record<string, string>) => {
      const response = await server.fetch('/api/projects', { method, headers });
      const told = [...response.headers].filter(([name]) => !/^(?:x-request-id|date)$/.test(name));
      assert.match(response.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
      return { status: response.status, told, body: await response.text() };
    };
    for (const encoding of ['identity', 'gzip']) {
      const accept = { 'Accept-Encoding': encoding };
      const etag = (await server.get('/api/projects', accept)).headers.get('etag') ?? '';
      for (const [method, headers, status] of [
        ['GET', accept, 200],
        ['HEAD', accept, 200],
        ['GET', { ...accept, 'If-None-Match': etag }, 304],
        ['HEAD', { ...accept, 'If-None-Match': `W/${etag}` }, 304],
      ] as const) {
        const ahead = await answer(method, headers);
        // A list has no ranges: all that this header does is to send a request through Koa.
        const through = await answer(method, { ...headers, Range: 'bytes=0-9' });
        assert.deepEqual(ahead, through);
        assert.equal(ahead.status, status);
      }
    }
  });
});
