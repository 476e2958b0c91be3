import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { writeLargeZip } from '../support/large-zip.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { writeZip, zipOf } from '../support/zip-writer.js';

const execute = promisify(execFile);
const MIB = 1024 * 1024;

describe('A server process', () => {
  let place: string;
  let docs: string;
  let args: string[];
  let server: SpawnedServer & { url: string };
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-e2e-'));
    await writeFile(
      join(place, 'tokens.json'),
      '{"tokens": {"ci": {"token": "secret", "allow_overwrite": true, "allow_delete": true}}}',
    );
  });
  beforeEach(async () => {
    docs = await mkdtemp(join(place, 'docs-'));
    // Thousands of pages that nobody searches are indexed for nothing.
    const options = ['--search', 'off', '--log-level', 'warn'];
    args = ['-d', docs, '--tokens', join(place, 'tokens.json'), ...options];
    server = await SpawnedServer.start(args);
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    await rm(docs, { recursive: true, force: true });
  });
  after(async () => rm(place, { recursive: true, force: true }));

  async function upload(fileName: string, archive: Blob | Buffer, to = server): Promise<Response> {
    const form = new FormData();
    form.set('file', archive instanceof Blob ? archive : new Blob([new Uint8Array(archive)]), fileName);
    return fetch(`${to.url}/api/upload`, { method: 'POST', body: form, headers: { 'X-Token': 'secret' } });
  }

  it('that is killed while an upload comes in, or is unpacked, leaves the state before', async () => {
    const old = zipOf({ 'index.html': 'old' });
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, number) => [`${number}.html`, `page ${number}`]),
    );
    const archive = zipOf({ 'index.html': 'new', ...files });
    const incoming = join(docs, '.lectern/incoming');
    const moments: readonly (() => Promise<boolean>)[] = [
      async () => (await readdir(incoming)).length > 0,
      async () => (await readdir(incoming, { recursive: true })).some((name) => name.endsWith('site')),
      async () => (await readdir(incoming, { recursive: true })).length > 100,
    ];
    for (const moment of moments) {
      // On a busy machine a moment may pass unseen.
      for (let isSeen = false, tries = 0; !isSeen; tries += 1) {
        assert.ok(tries < 10);
        await upload('a-1.0-docs.zip', old);
        let isOver = false;
        const uploading = upload('a-1.0-docs.zip', archive)
          .catch(() => undefined)
          .finally(() => {
            isOver = true;
          });
        await until(async () => {
          // It stands still while it is looked at: otherwise it may be done before it is killed.
          process.kill(server.pid, 'SIGSTOP');
          isSeen = await moment();
          if (!isSeen) process.kill(server.pid, 'SIGCONT');
          return isSeen || isOver;
        });
        if (isSeen) await server.stop('SIGKILL');
        await uploading;
      }
      server = await SpawnedServer.start(args);
      assert.deepEqual(await readdir(incoming), []);
      assert.equal(await (await fetch(`${server.url}/a-1.0/`)).text(), 'old');
      assert.equal((await fetch(`${server.url}/a-1.0/1.html`)).status, 404);
    }
    assert.equal((await upload('a-1.0-docs.zip', archive)).status, 200);
    assert.equal(await (await fetch(`${server.url}/a-1.0/`)).text(), 'new');
  });

  it('that gets SIGTERM during a download completes it, and exits with 0', async () => {
    // Random bytes don't shrink.
    const archive = writeZip([{ name: 'big.bin', content: randomBytes(40 * MIB), method: 0 }]);
    await upload('a-1.0-docs.zip', archive);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('GET /a-1.0-docs.zip HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    const stopped = server.stop('SIGTERM');
    let received = 0;
    for await (const chunk of socket) received += (chunk as Buffer).length;
    assert.ok(received > archive.length, `${received} of ${archive.length}`);
    assert.equal((await stopped).code, 0);
    // What remains of a clean end only says that its last publications are fresh.
    assert.ok((await readdir(join(docs, '.lectern/running'))).every((name) => name.endsWith('.ended')));
  });

  it('that gets SIGTERM or SIGINT with nothing to do ends at once, with 0', async () => {
    assert.equal((await server.stop('SIGTERM')).code, 0);
    server = await SpawnedServer.start(args);
    assert.equal((await server.stop('SIGINT')).code, 0);
  });

  it('needs less than 100 MB for an archive of 300 MB, half of it stored and half deflated', async () => {
    await upload('warm-1.0-docs.zip', zipOf({ 'index.html': '' }));
    // Random bytes don't shrink.
    const block = randomBytes(MIB);
    const file = join(place, 'large.zip');
    const stored = Array.from({ length: 15 }, (_, part) => `part-${part}.bin`);
    await writeLargeZip(file, [
      ...stored.map((name) => ({ name, block, times: 10, method: 'stored' as const })),
      { name: 'one.bin', block, times: 150, method: 'deflated' },
    ]);
    const idle = await resetPeak(server.pid);
    const response = await upload('large-1.0-docs.zip', await openAsBlob(file));
    assert.equal(response.status, 201, await response.text());
    const peak = await memory(server.pid, 'VmHWM');
    assert.ok(peak - idle < 100 * MIB, `${Math.round((peak - idle) / MIB)} MB above idle`);
    await rm(file);
  });

  it('needs less than 200 MB for hostile pages that agents read, with a small heap', async () => {
    await server.stop();
    server = await SpawnedServer.start(args, { NODE_OPTIONS: '--max-old-space-size=512' });
    const pages = Array.from({ length: 24 }, (_, number) => `p${number}.html`);
    const hostile = `<title>p</title><main>${'<p>x'.repeat(398_000)}`;
    await upload(
      'evil-1.0-docs.zip',
      zipOf({ 'index.html': '<p>x', ...Object.fromEntries(pages.map((page) => [page, hostile])) }),
    );
    const read = async (path: string) => {
      const params = { name: 'read_page', arguments: { project: 'evil', path, query: 'x' } };
      const response = await fetch(`${server.url}/-/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return response.text();
    };
    assert.match(await read('index.html'), /path: index\.html/);
    const idle = await memory(server.pid, 'VmRSS');
    for (const page of pages) assert.ok((await read(page)).includes(`path: ${page}`), page);
    const used = await memory(server.pid, 'VmRSS');
    assert.ok(used - idle < 200 * MIB, `${Math.round((used - idle) / MIB)} MB above idle`);
  });

  it('answers curl before it sends the body, when the token is wrong', async (t) => {
    const file = join(place, 'a-1.0-docs.zip');
    await writeFile(file, Buffer.alloc(20 * MIB));
    const curl = ['-s', '-H', 'X-Token: wrong', '-F', `file=@${file}`, '-w', '%{http_code} %{size_upload}'];
    const result = await execute('curl', [...curl, `${server.url}/api/upload`]).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' && process.env.CI === undefined) return undefined;
        throw error;
      },
    );
    if (result === undefined) return t.skip('curl is not installed');
    assert.match(result.stdout, /"error":"authentication_required".*401 (\d+)$/);
    assert.ok(Number(/\d+$/.exec(result.stdout)?.[0]) < 5 * MIB, result.stdout.slice(-30));
  });

  it('sees what another one on the same directory does, and the other way round', async () => {
    const other = await SpawnedServer.start(args);
    const page = async (of: { url: string }) => (await fetch(`${of.url}/a-1.0/`)).text();
    await upload('a-1.0-docs.zip', zipOf({ 'index.html': 'one' }));
    await until(async () => (await page(other)) === 'one');
    await upload('a-1.0-docs.zip', zipOf({ 'index.html': 'two' }), other);
    await until(async () => (await page(server)) === 'two');
    await fetch(`${server.url}/api/delete/a/1.0`, { method: 'DELETE', headers: { 'X-Token': 'secret' } });
    await until(async () => (await fetch(`${other.url}/a-1.0/`)).status === 404);
    await other.stop();
  });
});

/** Lets the kernel count the peak anew; gives the memory in use, in bytes. */
async function resetPeak(pid: number): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return memory(pid, 'VmRSS');
}

async function memory(pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}
