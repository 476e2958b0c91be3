import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { DATABASE_NAME } from '../../src/adapters/search/index.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { get, TOKENS_JSON, upload } from './client.js';
import { mountAgain, mountTmpfs, remount, unmount, whyNoMounts } from './mounts.js';

const reason = await whyNoMounts();
const siteOf = (mark: string) => ({ 'index.html': `<title>${mark}</title><p>apple ${mark}</p>` });
const BROKEN = 'a search index is damaged or missing; rebuilding it';
const FAILED = 'a version could not be indexed for search; trying again later';

describe('Search with trouble', () => {
  let place: string;
  let docs: string;
  let server: SpawnedServer & { url: string };
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-search-'));
    docs = join(place, 'docs');
    await mkdir(docs);
    await writeFile(join(place, 'tokens.json'), TOKENS_JSON);
  });
  afterEach(async () => {
    await server.stop();
    await unmount(docs).catch(() => {});
    await rm(place, { recursive: true });
  });

  const startReading = async (...args: string[]) => {
    server = await SpawnedServer.start(['-d', docs, '--log-level', 'warn', ...args], { TMPDIR: place });
  };
  const start = (...args: string[]) => startReading('--tokens', join(place, 'tokens.json'), ...args);
  const search = async (query: string) => {
    const { status, text } = await get(server.url, `/api/search?q=${query}`);
    return { status, ...(JSON.parse(text) as { results?: { url: string }[]; indexing?: number }) };
  };
  const finds = async (query: string, count: number) => {
    const seen = new Set<number>();
    await until(async () => {
      const { status, results, indexing } = await search(query);
      seen.add(status);
      return indexing === 0 && results?.length === count;
    });
    return [...seen];
  };
  /** Number of times that a version could not be indexed, on a server with `--metrics`. */
  const failures = async () => {
    const { text } = await get(server.url, '/-/metrics');
    return Number(/^lectern_search_build_failures (\d+)$/m.exec(text)?.[1]);
  };
  /** How often the server has said something, once it has ended. */
  const saidWhenStopped = async (message: string) => {
    const { stdout, stderr } = await server.stop();
    return `${stdout}${stderr}`.split(message).length - 1;
  };
  const databases = async () =>
    (await readdir(join(docs, '.lectern/derived'), { recursive: true }))
      .filter((name) => name.endsWith(DATABASE_NAME))
      .map((name) => join(docs, '.lectern/derived', name));

  it('rebuilds damaged indexes, logs it once, and finds pages of all other indexes meanwhile', async () => {
    await start();
    for (const name of ['a-1.0', 'b-1.0', 'c-1.0']) await upload(server.url, name, zipOf(siteOf(name)));
    assert.deepEqual(await finds('apple', 3), [200]);
    await server.stop();
    const [text, cut] = (await databases()) as [string, string];
    const bytes = await readFile(text);
    await writeFile(
      text,
      bytes.fill(0xff, bytes.indexOf('CREATE TABLE'), bytes.indexOf('CREATE TABLE') + 400),
    );
    await writeFile(cut, (await readFile(cut)).subarray(0, 9_000));
    await start();
    const { status, results } = await search('apple');
    assert.deepEqual([status, results?.length], [200, 1]);
    assert.deepEqual(await finds('apple', 3), [200]);
    assert.equal(await saidWhenStopped(BROKEN), 2);
  });

  it('waits on a full disk, logs it once, leaves nothing, and indexes once there is space', {
    skip: reason ?? false,
  }, async () => {
    await mountTmpfs(docs, 'size=4m');
    await start('--min-free-space', '0', '--metrics');
    await upload(server.url, 'a-1.0', zipOf(siteOf('a')));
    await finds('apple', 1);
    const ballast = join(docs, '.ballast');
    const { bavail, bsize } = await statfs(docs);
    await writeFile(ballast, Buffer.alloc(bavail * bsize - 44_000));
    assert.equal((await upload(server.url, 'b-1.0', zipOf(siteOf('b')))).status, 201);
    await until(async () => (await search('apple')).indexing === 1);
    await until(async () => (await failures()) > 0);
    const { status, results } = await search('apple');
    assert.deepEqual([status, results?.length], [200, 1]);
    // The next try may just be under way.
    await until(async () => {
      const left = await readdir(join(docs, '.lectern/derived'), { recursive: true });
      return !left.some((name) => name.endsWith('.part'));
    });
    await rm(ballast);
    await finds('apple', 2);
    assert.equal(await saidWhenStopped(FAILED), 1);
  });

  it('indexes a read-only directory elsewhere', { skip: reason ?? false }, async () => {
    const source = join(place, 'source');
    await mkdir(join(source, 'hand-1.0'), { recursive: true });
    await writeFile(join(source, 'hand-1.0/index.html'), siteOf('hand')['index.html']);
    await mountAgain(source, docs);
    await remount(docs, 'ro');
    await startReading();
    await finds('apple', 1);
    assert.deepEqual(await readdir(docs), ['hand-1.0']);
    assert.equal((await readdir(place)).filter((name) => name.startsWith('lectern-search-')).length, 1);
  });

  it('indexes and searches with 64 open files', async () => {
    await start();
    await promisify(execFile)('prlimit', [`--pid=${server.pid}`, '--nofile=64:64']);
    const names = Array.from({ length: 5 }, (_, at) => `p${at}-1.0`);
    for (const name of names) assert.equal((await upload(server.url, name, zipOf(siteOf(name)))).status, 201);
    for (const status of await finds('apple', names.length)) assert.ok([200, 503].includes(status));
  });
});
