import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { skipUnless, succeeds } from '../support/needs.js';
import { MAIN } from '../support/root.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { zipOf } from '../support/zip-writer.js';

const isRoot = process.getuid?.() === 0;
const WITHOUT_PRIVILEGE = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const;
const permissions = skipUnless(
  !isRoot || (await succeeds(...WITHOUT_PRIVILEGE, 'true')),
  'permissions mean nothing to this user, and setpriv cannot change that here',
);
const hasScript = skipUnless(
  await succeeds('script', '--version'),
  'there is no script, which makes terminals',
);

describe('lectern serve --first-token', () => {
  let place: string;
  let docs: string;
  let tokens: string;
  let args: string[];
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-first-'));
    docs = join(place, 'docs');
    tokens = join(place, 'tokens.json');
    args = ['-d', docs, '--first-token', tokens];
  });
  afterEach(async () => rm(place, { recursive: true, force: true }));

  const secretIn = async (file: string) => (await readFile(file, 'utf8')).trim();

  function upload({ url }: { readonly url: string }, secret: string): Promise<Response> {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'front' }))]), 'a-1.0-docs.zip');
    return fetch(`${url}/api/upload`, { method: 'POST', headers: { 'X-Token': secret }, body });
  }

  it('creates a token that publishes, and does nothing else, before and after a restart', async () => {
    const server = await SpawnedServer.start(args);
    const secret = await secretIn(join(place, 'first-token'));
    assert.equal((await upload(server, secret)).status, 201);
    for (const [method, path, body] of [
      ['DELETE', '/api/delete/a/1.0'],
      ['PUT', '/api/hidden/a/1.0'],
      ['PUT', '/api/aliases/a/stable', '{"version":"1.0"}'],
      ['POST', '/api/tokens', '{"name":"b"}'],
    ] as const) {
      const headers = { 'X-Token': secret, 'Content-Type': 'application/json' };
      const refused = await fetch(server.url + path, { method, headers, ...(body ? { body } : {}) });
      assert.equal(refused.status, 403, `${method} ${path}`);
    }
    assert.equal((await upload(server, secret)).status, 409);
    assert.equal(await (await fetch(`${server.url}/a-1.0/`)).text(), 'front');
    const { code, stdout, stderr } = await server.stop();
    assert.equal(code, 0);
    assert.match(stderr, /^Token: +cat \S+\/first-token$/m);
    assert.ok(!(stdout + stderr).includes(secret));

    const again = await SpawnedServer.start(args);
    const own = await fetch(`${again.url}/api/token`, { headers: { 'X-Token': secret } });
    assert.equal(((await own.json()) as { name: string }).name, 'first');
    assert.doesNotMatch((await again.stop()).stderr, /first-token|Token:/);
  });

  it('tells the token to a terminal alone, and keeps it nowhere', hasScript, async () => {
    const command = [process.execPath, MAIN, ...args, '--port', '0'].map((word) => `'${word}'`).join(' ');
    const log = join(place, 'terminal');
    const terminal = ['--quiet', '--return', '--flush', '--command', command, log];
    const server = new SpawnedServer(spawn('script', terminal, { stdio: ['ignore', 'pipe', 'pipe'] }));
    const [, url = ''] = await server.says(/ at (http:\S+)\/\r\n/);
    const [, secret = ''] = await server.says(/^Token: +([\w-]{43}) /m);
    assert.equal((await upload({ url }, secret)).status, 201);
    await server.stop();
    assert.ok(!(await readdir(place)).includes('first-token'));
    assert.ok(!(await readFile(tokens, 'utf8')).includes(secret));
  });

  it('leaves a server read-only whose docs directory is not empty, and creates nothing', async () => {
    await mkdir(join(docs, 'a-1.0'), { recursive: true });
    const server = await SpawnedServer.start([...args, '--reload-tokens']);
    assert.equal((await upload(server, 'x')).status, 401);
    const { stderr } = await server.stop();
    assert.match(stderr, /the docs directory is not empty, so no first token is created/);
    assert.deepEqual(await readdir(place), ['docs']);
  });

  it('leaves a server with --tokens alone', async () => {
    const { code, stderr } = await run([...args, '--tokens', join(place, 'other.json')]);
    assert.equal(code, 2);
    assert.match(stderr, /the tokens file \S+\/other\.json: no such file or directory/);
    assert.deepEqual(await readdir(place), []);
  });

  it(
    'ends the start on an unwritable or unreadable volume, and leaves nothing behind',
    permissions,
    async () => {
      for (const [directory, mode, what] of [
        [place, 0o500, `the tokens file ${tokens}`],
        [docs, 0o300, `the docs directory ${docs}`],
      ] as const) {
        await mkdir(directory, { recursive: true });
        await chmod(directory, mode);
        const [file = '', ...rest] = [...(isRoot ? WITHOUT_PRIVILEGE : []), process.execPath, MAIN, ...args];
        const server = new SpawnedServer(spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] }));
        const { code, stdout, stderr } = await server.ended;
        const refusal = `lectern: ${what}: permission denied\n`;
        assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: refusal });
        await chmod(directory, 0o700);
        assert.deepEqual(await readdir(place), directory === place ? [] : ['docs']);
        assert.deepEqual(await readdir(docs).catch(() => []), []);
      }
    },
  );

  it('is refused with an object store, and ignored there as a variable', async () => {
    const store = ['--store', 's3://bucket/docs', '--cache-dir', join(place, 'cache')];
    const flag = await run([...store, '--first-token', tokens]);
    const refusal = 'lectern: --first-token works only with -d\n';
    assert.deepEqual([flag.code, flag.stderr], [2, refusal]);
    const variable = await run(store, { LECTERN_FIRST_TOKEN: tokens });
    assert.match(variable.stderr, /without tokens, this server is read-only/);
    assert.deepEqual(await readdir(place), ['cache']);
  });
});
