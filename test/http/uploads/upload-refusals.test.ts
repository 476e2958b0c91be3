import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { zipOf } from '../../support/zip-writer.js';

const BAD_NAMES = [
  'docs.zip',
  '-docs.zip',
  '-1.0-docs.zip',
  'a-docs.zip',
  'a-latest-docs.zip',
  'a-Latest-docs.zip',
  'a-1.0.zip',
  'a-1.0-docs.ZIP',
  'a b-1.0-docs.zip',
  'ä-1.0-docs.zip',
  '.a-1.0-docs.zip',
  'a_-1.0-docs.zip',
  'a-1.0-docs.zip-docs.zip',
  `${'a'.repeat(101)}-1.0-docs.zip`,
  `a-1.${'0'.repeat(100)}-docs.zip`,
  `a-${'b'.repeat(16_000)}-docs.zip`,
  '..',
];

describe('A refused upload, which changes nothing,', () => {
  let server: TestServer;
  let before_: readonly string[];
  before(async () => {
    server = await TestServer.start({ limits: { maxUploadBytes: 100_000, maxFiles: 20 } });
    assert.equal((await server.upload('a-1.0-docs.zip', { 'index.html': 'first' })).status, 201);
  });
  beforeEach(async () => {
    before_ = await tree(server.docs);
  });
  afterEach(async () => {
    assert.deepEqual(await tree(server.docs), before_);
    assert.equal(await (await server.get('/a-1.0/')).text(), 'first');
  });
  after(async () => server.close());

  async function refused(response: Response, status: number, error: string): Promise<string> {
    const body = (await response.json()) as Json;
    assert.deepEqual([response.status, body.success, body.error], [status, false, error], body.message);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.doesNotMatch(body.message, /\/tmp|\.lectern|at .*\.ts/);
    return body.message;
  }

  /** Uploads a form with 64 MiB that belong to no part before or behind its file; ends early when an answer comes. */
  async function uploadWithin(padding: 'before' | 'behind'): Promise<Response> {
    const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="b-1.0-docs.zip"\r\n\r\n';
    const part = Buffer.concat([
      Buffer.from(head),
      zipOf({ 'index.html': 'b' }),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    let isAnswered = false;
    async function* body(): AsyncIterable<Buffer> {
      if (padding === 'behind') yield part;
      for (let sent = 0; sent < 1_024 && !isAnswered; sent++) yield Buffer.alloc(64 * 1024, '.');
      if (padding === 'before') yield Buffer.concat([Buffer.from('\r\n'), part]);
    }
    const request = httpRequest(`${server.url}/api/upload`, {
      method: 'POST',
      headers: { 'X-Token': 'secret-admin', 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    request.on('error', () => {});
    const answered = once(request, 'response').then(async ([answer]: IncomingMessage[]) => {
      isAnswered = true;
      const { statusCode, headers } = answer as IncomingMessage;
      const text = await textOf(answer as IncomingMessage);
      const type = headers['content-type'] ?? '';
      return new Response(text, { status: statusCode ?? 0, headers: { 'content-type': type } });
    });
    await pipeline(Readable.from(body()), request).catch(() => {});
    return answered;
  }

  for (const name of BAD_NAMES) {
    it(`has the name ${JSON.stringify(name.slice(0, 60))}`, async () => {
      const message = await refused(await server.upload(name), 400, 'invalid_filename');
      assert.match(message, /<project>-<version>-docs\.zip/);
    });
  }

  it('lacks a token', async () => {
    await refused(await server.upload('a-2.0-docs.zip', undefined, null), 401, 'authentication_required');
    const response = await server.fetch('/api/upload', { method: 'POST' });
    assert.match(await refused(response, 401, 'authentication_required'), /X-Token/);
  });

  it('has an unknown token, one in another case, or a prototype name', async () => {
    for (const secret of ['nope', 'SECRET-ADMIN', 'secret-admin ' + 'x', '__proto__', 'admin']) {
      const response = await server.fetch('/api/upload', {
        method: 'POST',
        headers: { 'X-Token': secret },
      });
      await refused(response, 401, 'authentication_required');
    }
  });

  it('meets an existing version without allow_overwrite', async () => {
    const message = await refused(
      await server.upload('a-1.0-docs.zip', { 'index.html': 'x' }, 'ci'),
      409,
      'version_exists',
    );
    assert.match(message, /^a 1\.0 already exists, and token 'ci' may not overwrite it/);
  });

  it("has a project outside of the token's, or with an equal prefix", async () => {
    for (const name of ['b-1.0-docs.zip', 'a-b-1.0-docs.zip', 'A-1.0-docs.zip', 'lib-3-1.0.0-docs.zip']) {
      await refused(await server.upload(name, undefined, 'scoped'), 403, 'project_not_allowed');
    }
  });

  it('has a new project with a token for existing ones only', async () => {
    await refused(
      await server.upload('new-1.0-docs.zip', undefined, 'existing'),
      403,
      'project_not_existing',
    );
  });

  it('is checked in the order token, name, project, existence, content', async () => {
    const junk = Buffer.from('junk');
    await refused(await server.upload('bad name', junk, 'nobody'), 401, 'authentication_required');
    await refused(await server.upload('bad name', junk, 'scoped'), 400, 'invalid_filename');
    await refused(await server.upload('b-1.0-docs.zip', junk, 'scoped'), 403, 'project_not_allowed');
    await refused(await server.upload('a-1.0-docs.zip', junk, 'scoped'), 409, 'version_exists');
    await refused(await server.upload('a-2.0-docs.zip', junk, 'scoped'), 400, 'invalid_archive');
  });

  it('is not a zip, or empty', async () => {
    await refused(await server.upload('a-2.0-docs.zip', Buffer.from('not a zip')), 400, 'invalid_archive');
    await refused(await server.upload('a-2.0-docs.zip', Buffer.alloc(0)), 400, 'invalid_archive');
    await refused(await server.upload('a-2.0-docs.zip', zipOf({})), 400, 'invalid_archive');
  });

  it('has a bad archive for an existing version, and the old site stays', async () => {
    await refused(await server.upload('a-1.0-docs.zip', Buffer.from('not a zip')), 400, 'invalid_archive');
    const message = await refused(
      await server.upload('a-1.0-docs.zip', zipOf({ 'index.html': 'x', '../evil.html': 'x' })),
      400,
      'invalid_archive',
    );
    assert.match(message, /entry '\.\.\/evil\.html'/);
  });

  it('exceeds the byte limit, which the refusal names', async () => {
    const message = await refused(
      await server.upload('a-2.0-docs.zip', Buffer.alloc(300_000)),
      413,
      'upload_too_large',
    );
    assert.match(message, /100000 bytes.*--max-upload-size/);
  });

  it('exceeds the file limit, which the refusal names', async () => {
    const files = Object.fromEntries(Array.from({ length: 21 }, (_, number) => [`${number}.html`, '']));
    const message = await refused(await server.upload('a-2.0-docs.zip', files), 413, 'archive_too_large');
    assert.match(message, /20 files.*--max-files/);
  });

  it('has a body that is not a multipart form', async () => {
    const headers = { 'X-Token': 'secret-admin', 'Content-Type': 'application/zip' };
    const body = new Uint8Array(zipOf({ 'index.html': '' }));
    await refused(
      await server.fetch('/api/upload', { method: 'POST', body, headers }),
      415,
      'unsupported_media_type',
    );
    const bare = { 'X-Token': 'secret-admin' };
    await refused(
      await server.fetch('/api/upload', { method: 'POST', headers: bare }),
      415,
      'unsupported_media_type',
    );
  });

  it('is a compressed form', async () => {
    const headers = {
      'X-Token': 'secret-admin',
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Encoding': 'gzip',
    };
    await refused(
      await server.fetch('/api/upload', { method: 'POST', body: 'x', headers }),
      415,
      'unsupported_media_type',
    );
  });

  const FORMS: readonly [title: string, type: string, body: string][] = [
    ['has no boundary', 'multipart/form-data', 'x'],
    ['is empty', 'multipart/form-data; boundary=x', ''],
    ['is only junk', 'multipart/form-data; boundary=x', 'junk'],
    ['ends at once', 'multipart/form-data; boundary=x', '--x--\r\n'],
    [
      'is cut in the header of its part',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; na',
    ],
    ['has no file', 'multipart/form-data; boundary=x', part('name="comment"', 'hi') + end()],
    [
      'has the file under another name',
      'multipart/form-data; boundary=x',
      part('name="docs"; filename="a-2.0-docs.zip"', 'x') + end(),
    ],
    [
      'has a file part without a file name',
      'multipart/form-data; boundary=x',
      part('name="file"', 'x') + end(),
    ],
    [
      'has a part without a name',
      'multipart/form-data; boundary=x',
      part('filename="a-2.0-docs.zip"', 'x') + end(),
    ],
  ];
  for (const [title, type, body] of FORMS) {
    it(`is a form that ${title}`, async () => {
      const headers = { 'X-Token': 'secret-admin', 'Content-Type': type };
      await refused(
        await server.fetch('/api/upload', { method: 'POST', body, headers }),
        400,
        'invalid_request',
      );
    });
  }

  it('is a form with two files, neither of which is published', async () => {
    const form = new FormData();
    for (const name of ['a-2.0-docs.zip', 'a-3.0-docs.zip']) {
      form.append('file', new Blob([new Uint8Array(zipOf({ 'index.html': '' }))]), name);
    }
    const headers = { 'X-Token': 'secret-admin' };
    await refused(
      await server.fetch('/api/upload', { method: 'POST', body: form, headers }),
      400,
      'invalid_request',
    );
  });

  for (const padding of ['before', 'behind'] as const) {
    it(`is a form with more than 64 KiB ${padding} its file`, async () => {
      const message = await refused(await uploadWithin(padding), 400, 'invalid_request');
      assert.match(message, /more than 65536 bytes besides the file/);
    });
  }

  it('is a form without its last boundary, as the refusal says', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="b-1.0-docs.zip"\r\n\r\nPK';
    const headers = { 'X-Token': 'secret-admin', 'Content-Type': 'multipart/form-data; boundary=x' };
    const answer = await server.fetch('/api/upload', { method: 'POST', headers, body });
    assert.match(await refused(answer, 400, 'invalid_request'), /cannot be read: Unexpected end of form/);
  });

  it('is a form that breaks off after a whole file', async () => {
    const zip = zipOf({ 'index.html': '' }).toString('latin1');
    const body = Buffer.from(part('name="file"; filename="a-2.0-docs.zip"', zip), 'latin1');
    const headers = { 'X-Token': 'secret-admin', 'Content-Type': 'multipart/form-data; boundary=x' };
    await refused(
      await server.fetch('/api/upload', { method: 'POST', body: new Uint8Array(body), headers }),
      400,
      'invalid_request',
    );
  });
});

it('refuses an upload just over the limit for its size when its whole body has come at once', async () => {
  const server = await TestServer.start({ limits: { maxUploadBytes: 2_048 } });
  for (const bytes of [2_049, 3_000, 10_000, 70_000]) {
    const response = await server.upload('a-1.0-docs.zip', Buffer.alloc(bytes));
    assert.deepEqual(
      [response.status, ((await response.json()) as Json).error],
      [413, 'upload_too_large'],
      String(bytes),
    );
  }
  assert.deepEqual(await readdir(join(server.docs, '.lectern/incoming')), []);
  await server.close();
});

it('refuses every upload on a server without tokens, with the reason', async () => {
  const server = await TestServer.start({ withTokens: false });
  for (const token of ['admin', null]) {
    const response = await server.upload('a-1.0-docs.zip', undefined, token);
    assert.equal(response.status, 401);
    assert.match(((await response.json()) as Json).message, /--tokens/);
  }
  assert.equal((await server.delete('a/1.0')).status, 401);
  assert.equal((await server.json('/api/projects')).count, 0);
  await server.close();
});

function part(disposition: string, content: string): string {
  return `--x\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: application/zip\r\n\r\n${content}`;
}

function end(): string {
  return '\r\n--x--\r\n';
}
