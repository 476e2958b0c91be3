import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { init } from '../../src/adapters/cli/commands/local/init.js';
import { freePort } from '../support/free-port.js';
import { MAIN } from '../support/root.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

describe('A server in operation', () => {
  let place: string;
  let docs: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-operations-'));
    docs = join(place, 'docs');
    await mkdir(join(docs, 'a-1.0'), { recursive: true });
    await writeFile(join(docs, 'a-1.0', 'index.html'), 'a');
  });
  after(async () => rm(place, { recursive: true, force: true }));

  const status = async (url: string) => (await fetch(url)).status;
  const textOf = (file: string) => readFile(file, 'utf8').catch(() => '');

  it('is healthy and ready, is not ready while its docs directory is missing, and logs no probe', async () => {
    const server = await SpawnedServer.start(['-d', docs, '--search', 'off', '--base-path', '/below']);
    assert.equal(await status(`${server.url}/-/health`), 200);
    assert.equal(await status(`${server.url}/below/-/health`), 200);
    assert.equal(await status(`${server.url}/-/ready`), 200);
    await rename(docs, join(place, 'away'));
    await until(async () => (await status(`${server.url}/-/ready`)) === 503);
    assert.equal(await status(`${server.url}/-/health`), 200);
    await rename(join(place, 'away'), docs);
    await until(async () => (await status(`${server.url}/-/ready`)) === 200);
    assert.equal(await status(`${server.url}/-/metrics`), 404);
    const { code, stderr } = await server.stop();
    assert.equal(code, 0);
    assert.match(stderr, /"path":"\/-\/metrics"/);
    assert.doesNotMatch(stderr, /health|ready/);
  });

  it('is live but not ready while it cleans up after a crash', async () => {
    const data = join(place, 'crashed');
    await init(data);
    const args = ['-d', join(data, 'docs'), '--tokens', join(data, 'tokens.json'), '--search', 'off'];
    const crashed = await SpawnedServer.start(args);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': 'b' }))]), 'b-1.0-docs.zip');
    const { tokens } = JSON.parse(await readFile(join(data, 'tokens.json'), 'utf8'));
    const headers = { 'X-Token': tokens.admin.token };
    const answer = await fetch(`${crashed.url}/api/upload`, { method: 'POST', body: form, headers });
    assert.equal(answer.status, 201);
    await crashed.stop('SIGKILL');
    // Whoever opens a pipe to read it waits until somebody opens it to write: recovery lasts as long as this test wants.
    const pipe = join(await realpath(join(data, 'docs/b-1.0')), '../archive.zip');
    await rename(pipe, `${pipe}.away`);
    execFileSync('mkfifo', [pipe]);

    const url = `http://127.0.0.1:${await freePort()}`;
    const child = spawn(process.execPath, [MAIN, ...args, '--port', new URL(url).port], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Whatever goes wrong here, nobody waits for it for ever.
      timeout: 60_000,
    });
    const starting = new SpawnedServer(child);
    await until(() =>
      status(`${url}/-/health`).then(
        (code) => code === 200,
        () => false,
      ),
    );
    const ready = await fetch(`${url}/-/ready`);
    assert.deepEqual([ready.status, await ready.json()], [503, { ready: false, reasons: ['starting'] }]);
    const waiting = fetch(`${url}/b-1.0/`);
    const letGo = (path: string) =>
      open(path, constants.O_WRONLY | constants.O_NONBLOCK).then(
        (end) => end.close().then(() => true),
        () => false,
      );
    await until(() => letGo(pipe));
    await rename(pipe, `${pipe}.read`);
    await rename(`${pipe}.away`, pipe);
    await letGo(`${pipe}.read`);
    assert.equal(await (await waiting).text(), 'b', 'what came meanwhile is answered');
    assert.equal(await status(`${url}/-/ready`), 200);
    assert.equal((await starting.stop()).code, 0);
  });

  it('serves for --drain-delay after SIGTERM, and reports that it is not ready', async () => {
    const server = await SpawnedServer.start(['-d', docs, '--search', 'off', '--drain-delay', '5']);
    const ended = server.stop();
    await until(async () => (await status(`${server.url}/-/ready`)) === 503);
    assert.equal(await status(`${server.url}/a-1.0/`), 200);
    assert.equal((await ended).code, 0);
    await assert.rejects(fetch(`${server.url}/-/ready`));
  });

  it('reopens its log file on SIGHUP', async () => {
    const log = join(place, 'rotated.log');
    const server = await SpawnedServer.start(['-d', docs, '--search', 'off', '--log-file', log]);
    await (await fetch(`${server.url}/a-1.0/`)).text();
    await until(async () => (await textOf(log)).includes('"path":"/a-1.0/"'));
    await rename(log, `${log}.1`);
    process.kill(server.pid, 'SIGHUP');
    await until(() => existsSync(log));
    await (await fetch(`${server.url}/`)).text();
    await until(async () => (await textOf(log)).includes('"path":"/"'));
    const { code, stderr } = await server.stop();
    assert.deepEqual([code, stderr], [0, '']);
    assert.equal((await textOf(`${log}.1`)).trim().split('\n').length, 1);
    assert.equal((await stat(log)).mode & 0o777 & 0o027, 0, 'others cannot read it');
  });

  it('keeps its log file when there is no space for a new one, and opens one later', async () => {
    const logs = join(place, 'logs');
    await mkdir(logs);
    const server = await SpawnedServer.start([
      '-d',
      docs,
      '--search',
      'off',
      '--log-file',
      join(logs, 'a.log'),
    ]);
    await rename(logs, `${logs}.away`);
    process.kill(server.pid, 'SIGHUP');
    await until(() => server.stderr.includes('cannot write the log file'));
    await (await fetch(`${server.url}/a-1.0/`)).text();
    await until(async () => (await textOf(join(`${logs}.away`, 'a.log'))).includes('/a-1.0/'));
    await mkdir(logs);
    process.kill(server.pid, 'SIGHUP');
    await until(() => existsSync(join(logs, 'a.log')));
    await (await fetch(`${server.url}/help`)).text();
    await until(async () => (await textOf(join(logs, 'a.log'))).includes('/help'));
    assert.equal((await server.stop()).code, 0);
  });

  it("serves and shuts down in order when the log's disk is full, and reports it once", async () => {
    const server = await SpawnedServer.start(['-d', docs, '--search', 'off', '--log-file', '/dev/full']);
    for (let n = 0; n < 20; n += 1) assert.equal(await status(`${server.url}/a-1.0/`), 200);
    await until(() => server.stderr.includes('ENOSPC'));
    assert.equal(await status(`${server.url}/a-1.0/`), 200);
    const { code, signal, stderr } = await server.stop();
    assert.deepEqual([code, signal], [0, null]);
    assert.equal(stderr.match(/cannot write the log file/g)?.length, 1);
  });

  it('serves and shuts down in order when stderr, with its log, is on a full disk', async () => {
    const full = await open('/dev/full', 'a');
    const child = spawn(process.execPath, [MAIN, '-d', docs, '--search', 'off', '--port', '0'], {
      stdio: ['ignore', 'pipe', full.fd],
    });
    await full.close();
    let stdout = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    const server = new SpawnedServer(child);
    await until(() => stdout.includes('\n'));
    const url = /http:\S+/.exec(stdout)?.[0] ?? '';
    const ask = () => fetch(`${url}a-1.0/`, { signal: AbortSignal.timeout(30_000) });
    for (let n = 0; n < 20; n += 1) assert.equal((await ask()).status, 200);
    child.kill('SIGTERM');
    const stuck = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const { code, signal } = await server.ended;
    clearTimeout(stuck);
    assert.deepEqual([code, signal], [0, null]);
  });

  it('writes request lines in the combined format, to the file or to stderr, and nothing else among them', async () => {
    const line = /^127\.0\.0\.1 - - \[[^\]]+\] "GET \/a-1\.0\/ HTTP\/1\.1" 200 \d+ "-" "test"\n$/;
    const headers = { 'User-Agent': 'test' };
    const log = join(place, 'combined.log');
    const server = await SpawnedServer.start(['-d', docs, '--log-format', 'combined', '--log-file', log]);
    await (await fetch(`${server.url}/a-1.0/?secret=1`, { headers })).text();
    const { stderr } = await server.stop();
    assert.match(await textOf(log), line);
    assert.equal(stderr, '');
    const other = await SpawnedServer.start(['-d', docs], { LECTERN_LOG_FORMAT: 'combined' });
    await (await fetch(`${other.url}/a-1.0/`, { headers })).text();
    assert.match((await other.stop()).stderr, line);
    const quiet = await SpawnedServer.start(['-d', docs, '--log-level', 'warn'], {
      LECTERN_LOG_FORMAT: 'combined',
    });
    await (await fetch(`${quiet.url}/a-1.0/`)).text();
    assert.equal((await quiet.stop()).stderr, '');
  });

  it('does not start without its log file, or with an unknown log format', async () => {
    const missing = join(place, 'nowhere', 'a.log');
    assert.deepEqual(await run(['-d', docs, '--port', '0', '--log-file', missing]), {
      code: 2,
      signal: null,
      stdout: '',
      stderr: `lectern: the log file ${missing}: no such file or directory\n`,
    });
    const { code, stderr } = await run(['-d', docs, '--log-format', 'common']);
    assert.deepEqual([code, stderr], [2, 'lectern: --log-format: expected one of json, combined\n']);
  });
});
