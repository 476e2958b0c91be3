import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { mountTmpfs, unmount, whyNoMounts } from './mounts.js';

const PAGE = 4_096;
const reason = await whyNoMounts();

describe('A full disk', { skip: reason ?? false }, () => {
  let docs: string;
  let server: TestServer;

  before(async () => {
    docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  });
  beforeEach(async () => {
    await mountTmpfs(docs, 'size=1m,nr_inodes=80');
    // Nothing but the disk itself says no.
    server = await TestServer.start({ docs, limits: { minFreeBytes: 0 }, graceMs: 100 });
    assert.equal((await server.upload('a-1.0-docs.zip', SITE)).status, 201);
  });
  afterEach(async () => {
    await server.close();
    await unmount(docs);
  });
  after(() => rm(docs, { recursive: true }));

  const free = async () => {
    const { bavail, bsize, ffree } = await statfs(docs);
    return { bytes: bavail * bsize, inodes: ffree };
  };

  /** Tries uploads with less and more room, until one succeeds. */
  async function withEveryRoom(
    name: string,
    take: (room: number) => Promise<() => Promise<void>>,
  ): Promise<number> {
    for (let room = 0; ; room++) {
      assert.ok(room < 100);
      const giveBack = await take(room);
      const before = await tree(docs);
      const roomBefore = await free();
      const response = await chunkedUpload(server.url, name, zipOf(SITE));
      const { error, message } = (await response.json()) as { error?: string; message: string };
      if (response.status < 300) {
        await giveBack();
        return room;
      }
      assert.deepEqual([response.status, error], [507, 'insufficient_storage'], message);
      assert.deepEqual(await tree(docs), before);
      assert.deepEqual(await free(), roomBefore);
      assert.equal(await (await server.get('/a-1.0/')).text(), SITE['index.html']);
      await giveBack();
    }
  }

  for (const [title, name] of [
    ['an upload of a new version', 'b-1.0'],
    ['a replacement', 'a-1.0'],
  ] as const) {
    it(`gives ${title} 507 whichever write finds no space, without leftovers`, async (t) => {
      const ballast = join(docs, '.ballast');
      const rooms = await withEveryRoom(name, async (room) => {
        await writeFile(ballast, Buffer.alloc((await free()).bytes - room * PAGE));
        return () => rm(ballast);
      });
      t.diagnostic(`${rooms} times`);
      assert.ok(rooms > 8);
    });

    it(`gives ${title} 507 whichever file, directory or symlink finds no space, without leftovers`, async (t) => {
      const rooms = await withEveryRoom(name, async (room) => {
        const count = (await free()).inodes - room;
        const ballast = Array.from({ length: count }, (_, number) => join(docs, `.${number}`));
        for (const file of ballast) await writeFile(file, '');
        return async () => {
          for (const file of ballast) await rm(file);
        };
      });
      t.diagnostic(`${rooms} times`);
      assert.ok(rooms > 8);
    });
  }

  it('allows reading and deleting, and deletions free space', async () => {
    await server.upload('b-1.0-docs.zip', SITE);
    await writeFile(join(docs, '.ballast'), Buffer.alloc((await free()).bytes));
    assert.equal((await server.get('/a-1.0/')).status, 200);
    assert.equal((await server.get('/api/download/a/1.0')).status, 200);
    assert.equal((await server.get('/api/projects')).status, 200);
    assert.equal((await server.upload('c-1.0-docs.zip', SITE)).status, 507);
    assert.equal((await server.delete('b/1.0')).status, 200);
    assert.equal((await server.get('/b-1.0/')).status, 404);
    await until(async () => (await server.upload('c-1.0-docs.zip', SITE)).status === 201);
  });
});

describe('A full disk that keeps deleted versions', { skip: reason ?? false }, () => {
  it('allows a deletion, its undo once there is space, and purges that free space at once', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await mountTmpfs(docs, 'size=1m');
    const server = await TestServer.start({ docs, limits: { minFreeBytes: 0 }, keepRemovedMs: 3_600_000 });
    try {
      for (const name of ['a-1.0', 'a-2.0']) await server.upload(`${name}-docs.zip`, SITE);
      const ballast = join(docs, '.ballast');
      const { bavail, bsize } = await statfs(docs);
      await writeFile(ballast, Buffer.alloc(bavail * bsize));
      assert.equal((await server.delete('a/1.0')).status, 200);
      assert.equal((await server.get('/a-1.0/')).status, 404);
      assert.equal((await server.delete('a/2.0?purge=true')).status, 200);
      await rm(ballast);
      assert.equal((await server.restore('a/1.0')).status, 201);
      assert.equal(await (await server.get('/a-1.0/')).text(), SITE['index.html']);
      assert.equal((await server.restore('a/2.0')).status, 404);
    } finally {
      await server.close();
      await unmount(docs);
      await rm(docs, { recursive: true });
    }
  });
});

describe('A disk with a reserve of free space', { skip: reason ?? false }, () => {
  const MIB = 1024 * 1024;

  it('keeps the reserve under ten bombs of 64 MiB at once, and nothing of refused ones', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await mountTmpfs(docs, 'size=448m');
    const server = await TestServer.start({ docs, maxUploads: 12 });
    try {
      const bomb = zipOf({ 'index.html': 'x', 'a.bin': Buffer.alloc(64 * MIB - 1) });
      assert.ok(bomb.length < 100_000);
      const statuses = await Promise.all(
        Array.from({ length: 10 }, async (_, number) => {
          const response = await server.upload(`bomb-${number}.0-docs.zip`, bomb);
          await response.arrayBuffer();
          return response.status;
        }),
      );
      const { bavail, bsize } = await statfs(docs);
      assert.ok(bavail * bsize >= 256 * MIB, `${bavail * bsize} bytes are free`);
      const published = statuses.filter((status) => status === 201).length;
      assert.equal(published + statuses.filter((status) => status === 507).length, 10, statuses.join());
      assert.ok(published <= 2);
      assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
      assert.equal((await server.json('/api/projects')).projects[0]?.versions.length ?? 0, published);
    } finally {
      await server.close();
      await unmount(docs);
      await rm(docs, { recursive: true });
    }
  });
});

/** Compresses to little, and unpacks to some pages. */
const SITE = { 'index.html': 'x'.repeat(20_000), 'a/b.html': 'b'.repeat(9_000), 'a/c/d.html': 'd' };

/** Without a Content-Length the server finds out only while it writes. */
async function chunkedUpload(url: string, name: string, archive: Buffer): Promise<Response> {
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}-docs.zip"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), archive, Buffer.from('\r\n--x--\r\n')]);
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(body));
      controller.close();
    },
  });
  const headers = { 'X-Token': 'secret-admin', 'Content-Type': 'multipart/form-data; boundary=x' };
  return fetch(`${url}/api/upload`, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
}
