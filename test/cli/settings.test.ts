import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runAgain, SpawnedServer } from '../support/spawned-server.js';
import { zipOf } from '../support/zip-writer.js';

describe('A start-up setting', { concurrency: 2 }, () => {
  let place: string;
  let tokens: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-settings-'));
    tokens = join(place, 'tokens.json');
    const admin = { token: 's3cret-admin', allow_overwrite: true, allow_delete: true };
    await writeFile(tokens, JSON.stringify({ tokens: { admin, ci: { token: 's3cret-ci' } } }));
  });
  after(async () => rm(place, { recursive: true, force: true }));

  async function upload(
    server: { url: string },
    files: Readonly<Record<string, string | Buffer>>,
    secret = 's3cret-admin',
  ): Promise<{ status: number; message: string }> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(zipOf(files))]), 'a-1.0-docs.zip');
    const headers = { 'X-Token': secret };
    const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers });
    return { status: answer.status, message: ((await answer.json()) as { message: string }).message };
  }

  it('applies from the environment: limits, tokens, address, log', async () => {
    const server = await SpawnedServer.start([], {
      LECTERN_DOCS: join(place, 'limited'),
      LECTERN_TOKENS: tokens,
      LECTERN_HOST: 'localhost',
      LECTERN_MAX_FILES: '1',
      LECTERN_MAX_UPLOAD_SIZE: '2KiB',
      LECTERN_MAX_EXTRACTED_SIZE: '4000',
      LECTERN_LOG_LEVEL: 'silent',
      LECTERN_SEARCH: 'off',
    });
    for (const [files, status, limit] of [
      [{ 'index.html': '' }, 201, /1 file\b/],
      [{ 'index.html': '', b: '' }, 413, /\b1 file/],
      [{ 'index.html': 'x'.repeat(4_001) }, 413, /4,?000/],
      // So short a body has come whole before anything is refused.
      [{ 'index.html': randomBytes(3_000) }, 413, /2,?048|2 KiB/],
    ] as const) {
      const answer = await upload(server, files);
      assert.equal(answer.status, status, answer.message);
      assert.match(answer.message, limit);
    }
    const { code, stderr } = await server.stop();
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('applies to search engines and to the token page, as a flag and from the environment', async () => {
    for (const [args, env] of [
      [['--no-indexing', '--no-upload-page'], {}],
      [[], { LECTERN_NO_INDEXING: 'true', LECTERN_NO_UPLOAD_PAGE: 'true' }],
    ] as const) {
      const server = await SpawnedServer.start(
        ['-d', join(place, 'flags'), '--tokens', tokens, ...args],
        env,
      );
      const robots = await fetch(`${server.url}/robots.txt`);
      assert.equal(robots.headers.get('x-robots-tag'), 'noindex');
      assert.equal((await fetch(`${server.url}/-/upload`)).status, 404);
      await server.stop();
    }
  });

  it('is read from the flag when the environment has it as well', async () => {
    const env = {
      LECTERN_DOCS: join(place, 'missing', 'docs'),
      LECTERN_TOKENS: join(place, 'missing.json'),
      LECTERN_MAX_FILES: '1',
      LECTERN_HOST: '127.0.0.2',
      // `SpawnedServer` gives --port.
      LECTERN_PORT: '1',
    };
    const flags = [
      ...['-d', join(place, 'flags'), '--tokens', tokens, '--host', '127.0.0.1'],
      ...['--search', 'off', '--max-files', '2'],
    ];
    const server = await SpawnedServer.start(flags, env);
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:/);
    assert.equal((await upload(server, { 'index.html': '', b: '' })).status, 201);
    assert.equal((await upload(server, { 'index.html': '', b: '', c: '' })).status, 413);
    await server.stop();
  });

  it('is validated alike in the environment', async () => {
    const { code, stderr } = await runAgain([], { LECTERN_DOCS: join(place, 'docs'), LECTERN_PORT: '8080x' });
    assert.equal(code, 2);
    assert.equal(stderr, "lectern: --port: expected a whole number from 0 to 65535, not '8080x'\n");
  });

  it('reports every fault of a tokens file by its path, all at once, and no secret', async () => {
    const file = join(place, 'faulty.json');
    const faulty = {
      bare: 's3cret',
      none: {},
      empty: { token: '', projects: 'a' },
      'two words': { token: 's3cret', allow_deletion: true, projects: [true, 'a', 5] },
      loose: { token: 's3cret-2', allow_overwrite: 'false', allow_delete: 1, existing_projects_only: null },
      misspelt: { tokn: 's3cret' },
    };
    await writeFile(file, JSON.stringify({ tokens: faulty }));
    const { code, stdout, stderr } = await runAgain(['-d', join(place, 'untouched'), '--tokens', file]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    const prefix = `lectern: the tokens file ${file}: `;
    assert.ok(stderr.startsWith(prefix), stderr);
    assert.deepEqual(stderr.slice(prefix.length).trimEnd().split('; ').sort(), [
      'tokens.bare: expected an object',
      'tokens.empty.projects: expected an array',
      'tokens.empty.token: expected a secret, not an empty string',
      'tokens.loose.allow_delete: expected a boolean',
      'tokens.loose.allow_overwrite: expected a boolean',
      'tokens.loose.existing_projects_only: expected a boolean',
      'tokens.misspelt.tokn: unknown field',
      "tokens.misspelt: expected 'token' or 'sha256'",
      "tokens.none: expected 'token' or 'sha256'",
      'tokens["two words"].allow_deletion: unknown field',
      'tokens["two words"].projects[0]: expected a string',
      'tokens["two words"].projects[2]: expected a string',
    ]);
  });

  it("applies until the server's end, even when the tokens file has changed", async () => {
    const file = join(place, 'changing.json');
    const args = ['-d', join(place, 'changing'), '--tokens', file, '--search', 'off'];
    const write = (token: string) => writeFile(file, JSON.stringify({ tokens: { ci: { token } } }));
    await write('before');
    const server = await SpawnedServer.start(args);
    await write('after');
    assert.equal((await upload(server, { 'index.html': '' }, 'before')).status, 201);
    assert.equal((await upload(server, { 'index.html': '' }, 'after')).status, 401);
    await server.stop();
  });

  it("stays out of the log when secret: changes are logged with the token's name", async () => {
    const args = ['-d', join(place, 'logged'), '--tokens', tokens, '--log-level', 'trace'];
    const server = await SpawnedServer.start(args);
    await upload(server, { 'index.html': '' });
    await upload(server, { 'index.html': '' }, 's3cret-ci');
    await upload(server, { 'index.html': '' }, 's3cret-unknown');
    const { stdout, stderr } = await server.stop();
    const lines = stderr.trim().split('\n');
    const writes = lines.map((line) => JSON.parse(line)).filter(({ method }) => method === 'POST');
    assert.deepEqual(
      writes.map(({ token, status }) => [token, status]),
      [
        ['admin', 201],
        ['ci', 409],
        [undefined, 401],
      ],
    );
    assert.doesNotMatch(stdout + stderr, /s3cret/);
  });

  it('limits the open connections, half of them for one address', async () => {
    const server = await SpawnedServer.start(['-d', join(place, 'few'), '--max-connections', '2']);
    const port = Number(new URL(server.url).port);
    // Another address than that of this test's other requests.
    const from = { port, host: '127.0.0.1', localAddress: '127.0.0.3' };
    const kept = connect(from);
    kept.write('GET /-/health HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(kept, 'data');
    const second = connect(from);
    second.on('error', () => {});
    second.resume();
    await new Promise((resolve) => second.once('close', resolve));
    assert.equal((await fetch(`${server.url}/-/health`)).status, 200);
    kept.destroy();
    await server.stop();
  });
});
