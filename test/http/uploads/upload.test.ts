import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { zipOf } from '../../support/zip-writer.js';

const NAMES: readonly [fileName: string, project: string, version: string][] = [
  ['my-project-1.0.0-docs.zip', 'my-project', '1.0.0'],
  ['my-project-1.0.0-beta.1-docs.zip', 'my-project', '1.0.0-beta.1'],
  ['lib-2-1.0.0-docs.zip', 'lib-2', '1.0.0'],
  ['tls-switch-1.2.3.post.dev4-abc1234-docs.zip', 'tls-switch', '1.2.3.post.dev4-abc1234'],
  ['qt-6.8-docs.zip', 'qt', '6.8'],
  ['log4j-2.x-docs.zip', 'log4j', '2.x'],
  ['tool-v2-docs.zip', 'tool', 'v2'],
  ['tool-main-docs.zip', 'tool', 'main'],
  ['C:\\tmp\\a-1.0-docs.zip', 'a', '1.0'],
  ['../b-1.0-docs.zip', 'b', '1.0'],
  ['/etc/c-1.0+b5-docs.zip', 'c', '1.0+b5'],
  ['constructor-1.0-docs.zip', 'constructor', '1.0'],
  ['api-1.0-docs.zip', 'api', '1.0'],
];

describe('An upload', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(async () => server.close());

  for (const [fileName, project, version] of NAMES) {
    it(`named ${fileName} becomes version ${version} of ${project}`, async () => {
      const response = await server.upload(fileName);
      const body = (await response.json()) as Json;
      const directory = `${project}-${version}`;
      assert.equal(response.status, 201, body.message);
      assert.equal(response.headers.get('location'), `/${directory}/`);
      assert.deepEqual(
        { ...body, message: '' },
        {
          success: true,
          message: '',
          project,
          version,
          directory,
          url: `/${directory}/`,
          files_extracted: 1,
        },
      );
      assert.equal(await (await server.get(body.url)).text(), fileName);
    });
  }

  it('counts files and not directories', async () => {
    const response = await server.upload('count-1.0-docs.zip', {
      'index.html': '',
      'a/b.html': '',
      'a/c.html': '',
    });
    assert.equal(((await response.json()) as Json).files_extracted, 3);
  });

  it('comes back from a download with the same bytes', async () => {
    const archive = zipOf({ 'index.html': 'x'.repeat(100_000), 'b.bin': Buffer.alloc(70_000, 7) });
    assert.equal((await server.upload('bytes-1.0-docs.zip', archive)).status, 201);
    for (const path of ['/api/download/bytes/1.0', '/bytes-1.0-docs.zip', '/bytes-latest-docs.zip']) {
      const response = await server.get(path);
      assert.equal(response.status, 200);
      assert.equal(sha256(Buffer.from(await response.arrayBuffer())), sha256(archive), path);
    }
  });

  it('replaces a version when the token may, and says so', async () => {
    assert.equal(
      (await server.upload('over-1.0-docs.zip', { 'index.html': 'one', 'old.html': '' })).status,
      201,
    );
    const response = await server.upload('over-1.0-docs.zip', { 'index.html': 'two' });
    assert.equal(response.status, 200);
    assert.match(((await response.json()) as Json).message, /It replaces the version that was there/);
    assert.equal(await (await server.get('/over-1.0/')).text(), 'two');
    assert.equal((await server.get('/over-1.0/old.html')).status, 404);
  });

  it('without an index.html is accepted, said, and shown as a list', async () => {
    const response = await server.upload('plain-1.0-docs.zip', { 'a.txt': '', 'b c/<i>.txt': '' });
    assert.match(((await response.json()) as Json).message, /no index\.html at its root/);
    const page = await (await server.get('/plain-1.0/')).text();
    assert.match(page, /href="a\.txt"/);
    assert.match(page, /href="b%20c\/%3Ci%3E\.txt"/);
    assert.doesNotMatch(page, /<i>/);
  });

  it('for the root of a host is published, and the message says what to set', async () => {
    const page =
      '<meta name="generator" content="Docusaurus v3.10.2"><script src="/assets/main.js"></script>';
    const response = await server.upload('rooted-1.0-docs.zip', { 'index.html': page, 'assets/main.js': '' });
    assert.equal(response.status, 201);
    const { message } = (await response.json()) as Json;
    assert.match(message, /1 link in 1 page leads out of it, such as '\/assets\/main\.js'/);
    assert.match(message, /Build it again with baseUrl: '\/rooted-1\.0\/' in docusaurus\.config\.js$/);
    assert.equal((await server.get('/rooted-1.0/')).status, 200);
  });

  it('with links from the root to pages only is published, and the message says nothing of them', async () => {
    const page = '<link rel="stylesheet" href="a.css"><a href="/license.html">License</a>';
    const files = { 'index.html': page, 'a.css': '', 'license.html': 'x' };
    const response = await server.upload('license-1.0-docs.zip', files);
    assert.equal(
      ((await response.json()) as Json).message,
      'license 1.0 is published at /license-1.0/ with 3 files',
    );
  });

  it('without styles or scripts of its pages is published, and the message names them', async () => {
    const page = '<link rel="stylesheet" href="../_static/theme.css?v=1"><script src="own.js"></script>';
    const files = { 'index.html': 'x', 'guide/index.html': page, 'guide/own.js': '' };
    const response = await server.upload('unstyled-1.0-docs.zip', files);
    assert.equal(response.status, 201);
    const { message } = (await response.json()) as Json;
    assert.match(
      message,
      /\. Pages ask for styles or scripts that are not in the archive: '_static\/theme\.css'$/,
    );
    assert.equal((await server.get('/unstyled-1.0/guide/own.js')).status, 200);
    assert.equal((await server.get('/unstyled-1.0/_static/theme.css')).status, 404);
  });

  it('with a broken docinfo is published, and the message says that it was ignored', async () => {
    const response = await server.upload('info-1.0-docs.zip', {
      'index.html': '',
      'docinfo.yaml': 'name: [',
    });
    assert.equal(response.status, 201);
    assert.match(
      ((await response.json()) as Json).message,
      /docinfo was ignored: docinfo\.yaml is not valid YAML/,
    );
  });

  it('takes extra text fields and ignores them', async () => {
    const form = new FormData();
    form.set('comment', 'x');
    form.set('__proto__', 'x');
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': '' }))]), 'fields-1.0-docs.zip');
    form.set('later', 'y');
    const headers = { 'X-Token': 'secret-admin' };
    const response = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers });
    assert.equal(response.status, 201);
  });

  it('may have 64 KiB beside its file', async () => {
    const form = new FormData();
    form.set('note', 'x'.repeat(64 * 1024 - 1_000));
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'x' }))]), 'beside-1.0-docs.zip');
    const headers = { 'X-Token': 'secret-admin' };
    const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers });
    assert.equal(answer.status, 201);
  });

  it('of one new version by many at once is published once, entire', async () => {
    const server = await TestServer.start({ maxUploads: 50 });
    const texts = Array.from({ length: 12 }, (_, number) => `upload ${number}`);
    const responses = await Promise.all(
      texts.map((text) => server.upload('race-1.0-docs.zip', { 'index.html': text, 'b.html': text }, 'ci')),
    );
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array(11).fill(409)]);
    const winner = texts[responses.findIndex(({ status }) => status === 201)];
    assert.equal(await (await server.get('/race-1.0/')).text(), winner);
    assert.equal(await (await server.get('/race-1.0/b.html')).text(), winner);
    await server.close();
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
