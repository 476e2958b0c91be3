import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeLargeZip } from '../support/large-zip.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { zipOf } from '../support/zip-writer.js';

const MIB = 1024 * 1024;

describe('A server process', () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-e2e-'));
    await writeFile(join(place, 'tokens.json'), '{"tokens": {"ci": {"token": "secret"}}}');
  });
  after(async () => rm(place, { recursive: true, force: true }));

  const start = (docs: string, env: NodeJS.ProcessEnv = {}) =>
    SpawnedServer.start(
      [
        ...['-d', join(place, docs), '--tokens', join(place, 'tokens.json')],
        // Pages that nobody searches are indexed for nothing.
        ...['--search', 'off', '--log-level', 'warn'],
      ],
      env,
    );

  async function upload(to: { url: string }, fileName: string, archive: Blob | Buffer): Promise<Response> {
    const form = new FormData();
    form.set('file', archive instanceof Blob ? archive : new Blob([new Uint8Array(archive)]), fileName);
    return fetch(`${to.url}/api/upload`, { method: 'POST', body: form, headers: { 'X-Token': 'secret' } });
  }

  it('ends an idle server at once with 0 on SIGTERM or SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await start(signal);
      await upload(server, 'a-1.0-docs.zip', zipOf({ 'index.html': '' }));
      assert.equal((await server.stop(signal)).code, 0);
      // A clean end leaves only a lease, which says that its last publications are fresh.
      const leases = await readdir(join(place, signal, '.lectern/running'));
      assert.deepEqual(
        leases.map((name) => name.endsWith('.ended')),
        [true],
      );
    }
  });

  it('uses less than 100 MB for an archive of 300 MB, half of it stored and half deflated', async () => {
    const server = await start('large');
    await upload(server, 'warm-1.0-docs.zip', zipOf({ 'index.html': '' }));
    // Random bytes don't shrink.
    const block = randomBytes(MIB);
    const file = join(place, 'large.zip');
    const stored = Array.from({ length: 15 }, (_, part) => `part-${part}.bin`);
    await writeLargeZip(file, [
      ...stored.map((name) => ({ name, block, times: 10, method: 'stored' as const })),
      { name: 'one.bin', block, times: 150, method: 'deflated' },
    ]);
    const idle = await resetPeak(server.pid);
    const response = await upload(server, 'large-1.0-docs.zip', await openAsBlob(file));
    assert.equal(response.status, 201, await response.text());
    const peak = await memory(server.pid, 'VmHWM');
    assert.ok(peak - idle < 100 * MIB, `${Math.round((peak - idle) / MIB)} MB above idle`);
    await server.stop();
  });

  it('uses less than 200 MB for hostile pages read by agents, with a small heap', async () => {
    const server = await start('hostile', { NODE_OPTIONS: '--max-old-space-size=512' });
    const pages = Array.from({ length: 24 }, (_, number) => `p${number}.html`);
    const hostile = `<title>p</title><main>${'<p>x'.repeat(398_000)}`;
    await upload(
      server,
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
    await server.stop();
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
