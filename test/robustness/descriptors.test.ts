import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { archiveOf, ask, markOf, siteOf, TOKENS_JSON } from './client.js';
import { leftovers, openBelow } from './leftovers.js';

const LOAD_MS = 1_500;

describe('A server that may have 64 open files', () => {
  let place: string;
  let docs: string;
  let server: SpawnedServer;
  let url: string;

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    docs = join(place, 'docs');
    await mkdir(join(docs, 'hand-1.0'), { recursive: true });
    await writeFile(join(docs, 'hand-1.0/index.html'), siteOf('hand')['index.html'] ?? '');
    await writeFile(join(place, 'tokens.json'), TOKENS_JSON);
    server = await SpawnedServer.start([
      '-d',
      docs,
      '--tokens',
      join(place, 'tokens.json'),
      '--log-level',
      'warn',
    ]);
    url = await server.address();
    // Not with `ulimit -n` before the start: Node opens more than a hundred modules at once.
    await promisify(execFile)('prlimit', [`--pid=${server.pid}`, '--nofile=64:64']);
  });
  after(async () => {
    await server.stop();
    await rm(place, { recursive: true });
  });

  const upload = (name: string, mark: string) => ask(url, '/api/upload', { name, bytes: archiveOf(mark) });

  it('refuses excessive load, stays alive under a hundred readers and uploads, and recovers', async (t) => {
    assert.equal((await upload('a-1.0', 'one')).status, 201);
    const outcomes = new Map<string, number>();
    const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const end = Date.now() + LOAD_MS;
    const during = async (work: () => Promise<void>) => {
      // A connection that nobody could accept ends without an answer.
      while (Date.now() < end)
        await work().catch((error: NodeJS.ErrnoException) => note(error.code ?? String(error)));
    };
    const paths = ['/a-1.0/', '/hand-1.0/', '/a-1.0/a/b.html'];
    const readers = Array.from({ length: 100 }, (_, reader) =>
      during(async () => {
        const { status, text } = await ask(url, paths[reader % paths.length] ?? '/');
        note(`read ${status}`);
        if (status === 200) assert.notEqual(markOf(text), undefined, text.slice(0, 100));
      }),
    );
    const bytes = archiveOf('two', 100_000);
    const uploads = Array.from({ length: 10 }, (_, number) =>
      during(async () => {
        const { status, error } = await ask(url, '/api/upload', { name: `b${number}-1.0`, bytes });
        note(`upload ${status} ${error ?? ''}`.trim());
      }),
    );
    await Promise.all([...readers, ...uploads]);
    t.diagnostic(JSON.stringify(Object.fromEntries(outcomes)));
    for (const outcome of outcomes.keys())
      assert.match(outcome, /^(ECONNRESET|EPIPE|(read|upload) (200|201|503( unavailable)?))$/);

    await until(async () => (await upload('c-1.0', 'three')).status < 300);
    // Work in the background, such as indexing, may still hold all files for a moment.
    await until(async () => markOf((await ask(url, '/c-1.0/')).text) === 'three');
    await until(async () => markOf((await ask(url, '/hand-1.0/')).text) === 'hand');
    await until(
      async () => (await leftovers(docs)).length === 0 && (await openBelow(server.pid, docs)).length === 0,
    );
  });
});
