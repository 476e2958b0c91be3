import assert from 'node:assert/strict';
import { lutimes, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { mountAgain, mountTmpfs, remount, unmount, whyNoMounts } from './mounts.js';

const reason = await whyNoMounts();

describe('A docs directory in an unusual place', () => {
  let place: string;
  let docs: string;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    docs = join(place, 'docs');
    await mkdir(docs);
  });
  afterEach(() => rm(place, { recursive: true }));

  const errorOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { error?: string }).error,
  ];

  it('refuses changes on a disk that becomes read-only, serves readers, and accepts changes again afterwards', {
    skip: reason ?? false,
  }, async () => {
    const source = join(place, 'source');
    await mkdir(source);
    await mountAgain(source, docs);
    const server = await TestServer.start({ docs });
    try {
      await server.upload('a-1.0-docs.zip', { 'index.html': 'one' });
      await mkdir(join(docs, 'hand-1.0'));
      await writeFile(join(docs, 'hand-1.0/index.html'), 'by hand');
      await server.shows('/hand-1.0/');
      await remount(docs, 'ro');
      assert.deepEqual(await errorOf(await server.upload('b-1.0-docs.zip')), [503, 'unavailable']);
      assert.deepEqual(await errorOf(await server.upload('a-1.0-docs.zip')), [503, 'unavailable']);
      assert.deepEqual(await errorOf(await server.delete('a/1.0')), [503, 'unavailable']);
      assert.equal(await (await server.get('/a-1.0/')).text(), 'one');
      assert.equal((await server.get('/api/download/a/1.0')).status, 200);
      assert.equal((await server.get('/api/download/hand/1.0')).status, 200);
      await remount(docs, 'rw');
      assert.equal((await server.upload('a-1.0-docs.zip', { 'index.html': 'two' })).status, 200);
      assert.equal(await (await server.get('/a-1.0/')).text(), 'two');
    } finally {
      await server.close();
      await unmount(docs);
    }
  });

  it('works on another file system than the temporary directory', {
    skip: reason ?? false,
  }, async () => {
    await mountTmpfs(docs, 'size=4m');
    const server = await TestServer.start({ docs, limits: { minFreeBytes: 0 } });
    try {
      await everythingWorks(server);
    } finally {
      await server.close();
      await unmount(docs);
    }
  });

  it('works behind a symlink', async () => {
    await symlink('docs', join(place, 'link'));
    const server = await TestServer.start({ docs: join(place, 'link') });
    await everythingWorks(server);
    await server.close();
  });

  it('is unavailable while missing, and complete when it returns', async () => {
    const server = await TestServer.start({ docs });
    await server.upload('a-1.0-docs.zip', { 'index.html': 'one' });
    await rename(docs, join(place, 'away'));
    await server.answers('/api/projects', 503);
    for (const path of ['/api/projects', '/api/download/a/1.0']) {
      assert.deepEqual(await errorOf(await server.get(path)), [503, 'unavailable'], path);
    }
    assert.deepEqual(await errorOf(await server.upload('b-1.0-docs.zip')), [503, 'unavailable']);
    assert.deepEqual(await errorOf(await server.delete('a/1.0')), [503, 'unavailable']);
    assert.equal((await server.get('/a-1.0/')).status, 503);
    assert.equal((await server.get('/')).status, 503);
    await rename(join(place, 'away'), docs);
    await server.shows('/a-1.0/');
    assert.equal(await (await server.get('/a-1.0/')).text(), 'one');
    await everythingWorks(server);
    await server.close();
  });

  it('refuses uploads when its disk is unmounted, and writes nothing at the mount point', {
    skip: reason ?? false,
  }, async () => {
    const source = join(place, 'source');
    await mkdir(source);
    await mountTmpfs(source, 'size=4m');
    await mountAgain(source, docs);
    const server = await TestServer.start({ docs, limits: { minFreeBytes: 0 } });
    try {
      await server.upload('a-1.0-docs.zip', { 'index.html': 'one' });
      await unmount(docs);
      assert.deepEqual(await errorOf(await server.upload('b-1.0-docs.zip')), [503, 'unavailable']);
      assert.deepEqual(await readdir(docs), []);
      await mountAgain(source, docs);
      await server.shows('/a-1.0/');
      await everythingWorks(server);
    } finally {
      await server.close();
      await unmount(docs);
      await unmount(source);
    }
  });

  it('starts empty when removed and recreated', async () => {
    const server = await TestServer.start({ docs });
    await server.upload('a-1.0-docs.zip', { 'index.html': 'one' });
    await rm(docs, { recursive: true });
    await server.answers('/api/projects', 503);
    await mkdir(docs);
    await server.shows('/api/projects');
    assert.equal((await server.json('/api/projects')).count, 0);
    assert.equal((await server.get('/a-1.0/')).status, 404);
    await everythingWorks(server);
    await server.close();
  });

  it('loses and hides nothing when the clock is set back or forward', async () => {
    for (const year of [1990, 2090]) {
      const time = new Date(`${year}-06-01`);
      const server = await TestServer.start({ docs });
      await server.upload(`a-${year}-docs.zip`, { 'index.html': 'one' });
      for (const entry of await readdir(docs, { recursive: true, withFileTypes: true })) {
        await lutimes(join(entry.parentPath, entry.name), time, time);
      }
      await utimes(docs, time, time);
      assert.equal(await (await server.get(`/a-${year}/`)).text(), 'one');
      await server.upload(`a-${year}-docs.zip`, { 'index.html': 'two' });
      assert.equal(await (await server.get(`/a-${year}/`)).text(), 'two');
      await server.close();
    }
    const server = await TestServer.start({ docs });
    for (const path of ['/a-1990/', '/a-2090/']) assert.equal(await (await server.get(path)).text(), 'two');
    await server.close();
  });
});

async function everythingWorks(server: TestServer): Promise<void> {
  assert.equal((await server.upload('x-1.0-docs.zip', { 'index.html': 'one' })).status, 201);
  assert.equal((await server.upload('x-1.0-docs.zip', { 'index.html': 'two' })).status, 200);
  assert.equal(await (await server.get('/x-1.0/')).text(), 'two');
  assert.equal((await server.get('/x-1.0-docs.zip')).status, 200);
  assert.equal((await server.delete('x/1.0')).status, 200);
  assert.equal((await server.get('/x-1.0/')).status, 404);
}
