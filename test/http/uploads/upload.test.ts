import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
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

  /** Codes of the warnings about an upload. */
  async function warningsOf(...upload: Parameters<TestServer['upload']>): Promise<readonly string[]> {
    const response = await server.upload(...upload);
    const { message, warnings } = (await response.json()) as Json;
    assert.equal(response.status, 201, message);
    return warnings.map(({ code }: Json) => code);
  }

  for (const [fileName, project, version] of NAMES) {
    it(`becomes version ${version} of ${project}: ${fileName}`, async () => {
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
          warnings: [],
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

  it('is downloaded with the same bytes', async () => {
    const archive = zipOf({ 'index.html': 'x'.repeat(100_000), 'b.bin': Buffer.alloc(70_000, 7) });
    assert.equal((await server.upload('bytes-1.0-docs.zip', archive)).status, 201);
    for (const path of ['/api/download/bytes/1.0', '/bytes-1.0-docs.zip', '/bytes-latest-docs.zip']) {
      const response = await server.get(path);
      assert.equal(response.status, 200);
      assert.equal(sha256(Buffer.from(await response.arrayBuffer())), sha256(archive), path);
    }
  });

  it('replaces a version with allow_overwrite, and reports it', async () => {
    assert.equal(
      (await server.upload('over-1.0-docs.zip', { 'index.html': 'one', 'old.html': '' })).status,
      201,
    );
    const response = await server.upload('over-1.0-docs.zip', { 'index.html': 'two' });
    assert.equal(response.status, 200);
    assert.match(((await response.json()) as Json).message, /; replaced the existing version$/);
    assert.equal(await (await server.get('/over-1.0/')).text(), 'two');
    assert.equal((await server.get('/over-1.0/old.html')).status, 404);
  });

  it('is accepted with a warning without an index.html, and shown as a list', async () => {
    assert.deepEqual(await warningsOf('plain-1.0-docs.zip', { 'a.txt': '', 'b c/<i>.txt': '' }), [
      'no_index',
    ]);
    const page = await (await server.get('/plain-1.0/')).text();
    assert.match(page, /href="a\.txt"/);
    assert.match(page, /href="b%20c\/%3Ci%3E\.txt"/);
    assert.doesNotMatch(page, /<i>/);
  });

  it('is published without a warning when links from the root lead to pages only', async () => {
    const page = '<link rel="stylesheet" href="a.css"><a href="/license.html">License</a>';
    const files = { 'index.html': page, 'a.css': '', 'license.html': 'x' };
    assert.deepEqual(await warningsOf('license-1.0-docs.zip', files), []);
  });

  it('is published with faults, and its warnings have remedies in the response and on the project page', async () => {
    const page =
      '<meta name="generator" content="Docusaurus v3.10.2"><script src="/assets/main.js"></script><h1>Hi</h1>';
    const response = await server.upload('rooted-1.0-docs.zip', {
      'index.html': page,
      'guide/index.html':
        '<link rel="stylesheet" href="../_static/theme.css?v=1"><script src="../a.js"></script><h1>Guide</h1>',
      'assets/main.js': '',
      'docinfo.yaml': 'naem: Typo',
    });
    assert.equal(response.status, 201);
    const { message, warnings } = (await response.json()) as Json;
    assert.equal(message, 'Published rooted 1.0 at /rooted-1.0/ with 4 files');
    assert.deepEqual(
      warnings.map(({ code, fix }: Json) => [code, fix]),
      [
        ['other_address', "Rebuild it with baseUrl: '/rooted-1.0/' in docusaurus.config.js"],
        [
          'missing_styles',
          'Include all files that the builder writes, and replace symbolic links with the files they point to',
        ],
        ['docinfo_field', "Did you mean 'name'?"],
        [
          'missing_scripts',
          'Include all files that the builder writes, and replace symbolic links with the files they point to',
        ],
      ],
    );
    assert.equal((await server.get('/rooted-1.0/')).status, 200);
    const projectPage = await (await server.get('/-/projects/rooted')).text();
    assert.match(projectPage, /4 warnings/);
    assert.match(projectPage, /are not in the archive: '_static\/theme\.css'\. Include all files/);
  });

  it('is published with a broken docinfo, and a warning gives the reason', async () => {
    const response = await server.upload('info-1.0-docs.zip', {
      'index.html': '',
      'docinfo.yaml': 'name: [',
    });
    assert.equal(response.status, 201);
    const { warnings } = (await response.json()) as Json;
    assert.match(warnings[0].message, /^The docinfo was ignored: docinfo\.yaml is not valid YAML/);
  });

  it('is refused with the warnings in strict mode, before anything is public', async () => {
    const faulty = { 'index.html': '<link rel="stylesheet" href="gone.css">' };
    await server.upload('over-1.0-docs.zip');
    const before = await tree(server.docs);
    for (const name of ['over-1.0', 'strict-1.0', 'strict~pr-1']) {
      const response = await server.upload(`${name}-docs.zip`, faulty, undefined, [['strict', 'true']]);
      const { warnings, ...body } = (await response.json()) as Json;
      assert.deepEqual([response.status, body.error], [422, 'site_has_warnings']);
      assert.match(
        body.message,
        /^\S+ ?1?\S* was not published, since the upload is strict and the site has 1 warning; nothing was changed$/,
      );
      assert.deepEqual(
        warnings.map(({ code }: Json) => code),
        ['missing_styles'],
      );
    }
    for (const value of ['yes', '1', 'TRUE']) {
      const response = await server.upload('strict-1.0-docs.zip', faulty, undefined, [['strict', value]]);
      assert.deepEqual(
        [response.status, ((await response.json()) as Json).message],
        [400, "Give 'strict' once, as 'true' or 'false'"],
      );
    }
    assert.deepEqual(await tree(server.docs), before);
    for (const [value, files] of [
      ['true', { 'index.html': 'fine' }],
      ['false', faulty],
      ['', faulty],
    ] as const) {
      const name = `strict-1.${value.length}-docs.zip`;
      assert.equal((await server.upload(name, files, undefined, [['strict', value]])).status, 201);
    }
  });

  it('ignores extra text fields', async () => {
    const form = new FormData();
    form.set('comment', 'x');
    form.set('__proto__', 'x');
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': '' }))]), 'fields-1.0-docs.zip');
    form.set('later', 'y');
    const headers = { 'X-Token': 'secret-admin' };
    const response = await server.fetch('/api/upload', { method: 'POST', body: form, headers });
    assert.equal(response.status, 201);
  });

  it('may have 64 KiB beside its file', async () => {
    const form = new FormData();
    form.set('note', 'x'.repeat(64 * 1024 - 1_000));
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'x' }))]), 'beside-1.0-docs.zip');
    const headers = { 'X-Token': 'secret-admin' };
    const answer = await server.fetch('/api/upload', { method: 'POST', body: form, headers });
    assert.equal(answer.status, 201);
  });

  it('is published once, complete, when many clients upload one new version at once', async () => {
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
