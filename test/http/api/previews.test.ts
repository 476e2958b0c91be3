import assert from 'node:assert/strict';
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

const DAY = 24 * 60 * 60_000;

/** Asserts that a time is this many milliseconds from now, give or take a minute. */
function assertIn(text: string, ms: number): void {
  assert.ok(Math.abs(Date.parse(text) - Date.now() - ms) < 60_000, text);
}

describe('A preview', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ switcher: true });
    await server.upload('a-1.0-docs.zip');
  });
  after(async () => server.close());

  it('is published under its own name, for 30 days by default', async () => {
    const response = await server.upload('a~pr-1-docs.zip', { 'index.html': 'one' }, 'ci');
    const { message, expires_at, ...body } = (await response.json()) as Json;
    assert.equal(response.status, 201, message);
    assert.equal(response.headers.get('location'), '/a~pr-1/');
    const url = '/a~pr-1/';
    assert.deepEqual(body, {
      success: true,
      project: 'a',
      version: 'pr-1',
      directory: 'a~pr-1',
      url,
      files_extracted: 1,
      warnings: [],
    });
    assertIn(expires_at, 30 * DAY);
    assert.match(
      message,
      /^Published a~pr-1 at \/a~pr-1\/ with 1 file, until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
    );
    assert.match(await (await server.get(url)).text(), /^one/);
  });

  it('is replaced by each upload, by a token without allow_overwrite, with a new end', async () => {
    await server.upload('a~again-docs.zip', { 'index.html': 'one' }, 'ci', [['expires', '1h']]);
    const response = await server.upload('a~again-docs.zip', { 'index.html': 'two' }, 'ci', [
      ['expires', '14d'],
    ]);
    const { message, expires_at } = (await response.json()) as Json;
    assert.equal(response.status, 200);
    assert.match(message, /; replaced the existing preview$/);
    assertIn(expires_at, 14 * DAY);
    assert.match(await (await server.get('/a~again/')).text(), /^two/);
  });

  it('has the lifetime of a form field before or after the file', async () => {
    const form = new FormData();
    const archive = new Blob([await (await server.get('/a-1.0-docs.zip')).arrayBuffer()]);
    form.set('file', archive, 'a~behind-docs.zip');
    form.set('expires', '12h');
    const headers = { 'X-Token': 'secret-ci' };
    const response = await server.fetch('/api/upload', { method: 'POST', body: form, headers });
    assertIn(((await response.json()) as Json).expires_at, DAY / 2);
  });

  it('has the default lifetime for an empty field, as forms send it', async () => {
    const preview = await server.upload('a~empty-docs.zip', undefined, 'ci', [['expires', '']]);
    assertIn(((await preview.json()) as Json).expires_at, 30 * DAY);
    assert.equal((await server.delete('a/empty', 'ci', 'previews')).status, 200);
    const version = await server.upload('empty-1.0-docs.zip', undefined, 'ci', [['expires', '']]);
    assert.equal(version.status, 201);
    assert.equal((await server.delete('empty/1.0')).status, 200);
  });

  const REFUSED: readonly [
    what: string,
    fileName: string,
    fields: readonly [string, string][],
    token: string,
    status: number,
    error: string,
    message: RegExp,
  ][] = [
    [
      'with an invalid lifetime',
      'a~x-docs.zip',
      [['expires', 'soon']],
      'ci',
      400,
      'invalid_request',
      /'expires' is 'soon'; expected a number of hours or days, such as 12h or 14d/,
    ],
    [
      'with two lifetimes',
      'a~x-docs.zip',
      [
        ['expires', '1d'],
        ['expires', '2d'],
      ],
      'ci',
      400,
      'invalid_request',
      /'\["1d","2d"\]'/,
    ],
    [
      'that is a version with a lifetime',
      'a-2.0-docs.zip',
      [['expires', '1d']],
      'ci',
      400,
      'invalid_request',
      /'a-2\.0-docs\.zip' is a version/,
    ],
    ['with an invalid name', 'a~feature+x-docs.zip', [], 'ci', 400, 'invalid_filename', /use feature-x/],
    ['of a project that is not the token’s', 'b~x-docs.zip', [], 'scoped', 403, 'project_not_allowed', /'b'/],
    ['of a project without versions', 'new~x-docs.zip', [], 'existing', 403, 'project_not_existing', /'new'/],
  ];
  for (const [what, fileName, fields, token, status, error, message] of REFUSED) {
    it(`is refused with ${error}, and nothing changes: ${what}`, async () => {
      const before = await tree(server.docs);
      const response = await server.upload(fileName, { 'index.html': 'x' }, token, fields);
      const body = (await response.json()) as Json;
      assert.deepEqual([response.status, body.error], [status, error]);
      assert.match(body.message, message);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('is in no list of projects, and creates no project', async () => {
    await server.upload('alone~pr-1-docs.zip', { 'index.html': 'alone' }, 'ci');
    const { projects } = await server.json('/api/projects');
    assert.deepEqual(
      projects.map(({ directory_name, versions }: Json) => [directory_name, versions.length]),
      [['a', 1]],
    );
    const index = await (await server.get('/')).text();
    assert.doesNotMatch(index, /alone|pr-1/);
    for (const path of ['/-/projects/alone', '/alone/', '/alone-latest/', '/api/download/alone/pr-1']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    const refused = await server.upload('alone~pr-2-docs.zip', { 'index.html': 'x' }, 'existing');
    assert.equal(((await refused.json()) as Json).error, 'project_not_existing');
    assert.match(await (await server.get('/alone~pr-1/')).text(), /^alone/);
  });

  it('is listed and shown by its own endpoints, newest first', async () => {
    const { previews, count } = await server.json('/api/previews/a');
    assert.deepEqual([count, previews.map(({ name }: Json) => name)], [3, ['behind', 'again', 'pr-1']]);
    const { expires_at, published_at, ...preview } = await server.json('/api/previews/a/pr-1');
    assert.deepEqual(preview, {
      project: 'a',
      name: 'pr-1',
      directory_name: 'a~pr-1',
      url: '/a~pr-1/',
      download_url: '/a~pr-1-docs.zip',
    });
    assertIn(expires_at, 30 * DAY);
    assertIn(published_at, 0);
    assert.equal((await server.json('/api/previews/alone')).count, 1);
    for (const [path, error] of [
      ['a/nothing', 'preview_not_found'],
      ['a/1.0', 'preview_not_found'],
      ['nothing', 'project_not_found'],
      ['nothing/x', 'preview_not_found'],
    ] as const) {
      const response = await server.get(`/api/previews/${path}`);
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [404, error], path);
    }
  });

  it('sends noindex with its pages, its archive, its listing and its 404 pages', async () => {
    await server.upload('a~files-docs.zip', { 'b.html': 'x', '404.html': 'own' }, 'ci');
    for (const path of [
      '/a~pr-1/',
      '/a%7Epr-1/',
      '/a~pr-1-docs.zip',
      '/a~files/',
      '/a~files/b',
      '/a~files/c',
    ]) {
      for (const _ of ['from the disk', 'from memory']) {
        const response = await server.get(path);
        await response.arrayBuffer();
        assert.equal(response.headers.get('x-robots-tag'), 'noindex', path);
      }
    }
    for (const path of ['/a-1.0/', '/a-latest/']) {
      assert.equal((await server.get(path)).headers.get('x-robots-tag'), null, path);
    }
  });

  it('appears on the project’s page, folded, at once', async () => {
    await server.upload('a~shown-docs.zip', { 'index.html': 'x' }, 'ci');
    const page = await (await server.get('/-/projects/a')).text();
    assert.match(page, /<details class="previews above-4">.*href="\/a~shown\/"/s);
    await server.delete('a/shown', 'ci', 'previews');
    assert.doesNotMatch(await (await server.get('/-/projects/a')).text(), /a~shown/);
  });

  it('is described to the switcher with its end, also beside no versions', async () => {
    const body = await server.json('/-/switcher/a~pr-1.json');
    assert.equal(body.current, 'a~pr-1');
    assert.equal(body.preview.name, 'pr-1');
    assertIn(body.preview.expires_at, 30 * DAY);
    assert.equal(body.standing, undefined);
    assert.deepEqual(
      body.versions.map(({ directory }: Json) => directory),
      ['a-1.0'],
    );
    const alone = await server.json('/-/switcher/alone~pr-1.json');
    assert.deepEqual([alone.name, alone.versions, alone.latest], ['Alone', [], undefined]);
    assert.match(await (await server.get('/alone~pr-1/')).text(), /switcher\.js/);
  });

  it('is distinguished from a version of the same name, by agents and the switcher', async () => {
    for (const name of ['same-1.0', 'same~1.0'])
      await server.upload(`${name}-docs.zip`, { 'index.html': '<h1>Hi' });
    const deprecated = await server.fetch('/api/deprecated/same/1.0', {
      method: 'PUT',
      headers: { 'X-Token': 'secret-deleter', 'Content-Type': 'application/json' },
      body: '{"message":"Old"}',
    });
    assert.equal(deprecated.status, 200);
    const markdown = await (await server.get('/same~1.0/index.md')).text();
    assert.match(markdown, /\nversion: "~1\.0"\nlatest: "1\.0"\n/);
    assert.match(
      await (await server.get('/same~1.0/llms.txt')).text(),
      /^# Same ~1\.0\n\n> Version ~1\.0, in Markdown\. The latest version is 1\.0: /,
    );
    assert.equal((await server.json('/-/switcher/same-1.0.json')).deprecated, 'Old');
    assert.equal((await server.json('/-/switcher/same~1.0.json')).deprecated, undefined);
    const call = { name: 'list_pages', arguments: { project: 'same', version: '~1.0' } };
    const answer = await server.fetch('/-/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    assert.match(await answer.text(), /same ~1\.0 \(a preview; latest is 1\.0\)/);
  });

  it('is a target of /-/go, and links to the version beside it', async () => {
    for (const [path, to] of [
      ['/a~pr-1', '/a~pr-1/'],
      ['/-/go/a~pr-1/index.html', '/a~pr-1/'],
      ['/-/go/a-1.0/index.html', '/a-1.0/'],
    ] as const) {
      const location = (await server.get(path)).headers.get('location') ?? '';
      assert.equal(location.replace(/index\.html$/, ''), to, path);
    }
  });

  it('has its own page when missing', async () => {
    const response = await server.get('/a~gone/guide.html');
    assert.equal(response.status, 404);
    const text = await response.text();
    assert.match(text, /No such preview/);
    assert.match(text, /href="\/a-latest\/"/);
  });

  const KEPT: readonly [path: string, token: string | null, status: number, error: string][] = [
    ['a/pr-1', null, 401, 'authentication_required'],
    ['a/pr-1', 'nobody', 401, 'authentication_required'],
    ['alone/pr-1', 'scoped', 403, 'project_not_allowed'],
    ['a/nothing', 'ci', 404, 'preview_not_found'],
    ['a/1.0', 'admin', 404, 'preview_not_found'],
    ['a/%2e%2e%2fa-1.0', 'admin', 404, 'preview_not_found'],
  ];
  for (const [path, token, status, error] of KEPT) {
    it(`is not deleted at ${path} by ${token ?? 'nobody'}: ${error}, and nothing changes`, async () => {
      const before = await tree(server.docs);
      const response = await server.delete(path, token, 'previews');
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [status, error]);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('cannot be deleted or downloaded as a version', async () => {
    for (const label of ['pr-1', '~pr-1']) {
      const deleted = await server.delete(`a/${label}`, 'admin');
      assert.equal(((await deleted.json()) as Json).error, 'version_not_found');
      assert.equal((await server.get(`/api/download/a/${label}`)).status, 404);
    }
    assert.equal((await server.get('/a~pr-1/')).status, 200);
  });

  it('is deleted by a token without allow_delete', async () => {
    const response = await server.delete('a/pr-1', 'ci', 'previews');
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      success: true,
      message: 'Deleted a~pr-1',
      project: 'a',
      version: 'pr-1',
      directory: 'a~pr-1',
    });
    for (const path of ['/a~pr-1/', '/a~pr-1-docs.zip', '/api/previews/a/pr-1', '/-/switcher/a~pr-1.json']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    assert.equal((await server.get('/a-1.0/')).status, 200);
  });
});

describe('A preview that has expired but is not removed', () => {
  it('is not served, not even from memory, and is in no response', async (t) => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-previews-'));
    let server = await TestServer.start({ docs });
    try {
      await server.upload('a-1.0-docs.zip');
      await server.upload('a~pr-1-docs.zip', { 'index.html': 'here' });
      await server.close();
      await changeRecord(docs, 'a~pr-1', { expiresAt: new Date(Date.now() + DAY).toISOString() });
      server = await TestServer.start({ docs });
      const paths = ['/a~pr-1/', '/a~pr-1-docs.zip', '/-/switcher/a~pr-1.json', '/api/previews/a/pr-1'];
      for (const path of paths) assert.equal((await server.get(path)).status, 200, path);
      assert.match(await (await server.get('/-/projects/a')).text(), /a~pr-1/);
      assert.equal(await (await server.get('/a~pr-1/')).text(), 'here');
      assert.ok(server.answeredFromMemory > 0);
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() + DAY });
      for (const path of [...paths, '/-/go/a~pr-1/']) {
        assert.equal((await server.get(path)).status, 404, path);
      }
      assert.doesNotMatch(await (await server.get('/-/projects/a')).text(), /a~pr-1/);
      assert.equal((await server.json('/api/previews/a')).count, 0);
      assert.ok((await readlink(join(docs, 'a~pr-1'))).includes('a~pr-1'));
    } finally {
      await server.close();
      await rm(docs, { recursive: true, force: true });
    }
  });
});

/** Changes fields of the record of a preview. */
async function changeRecord(docs: string, directoryName: string, fields: object): Promise<void> {
  const record = join(docs, await readlink(join(docs, directoryName)), '../version.json');
  await writeFile(record, JSON.stringify({ ...JSON.parse(await readFile(record, 'utf8')), ...fields }));
}
