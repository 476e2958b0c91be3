import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { mountTmpfs, unmount, whyNoMounts } from '../robustness/mounts.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph, startCeph } from '../support/ceph/ceph.js';
import { until } from '../support/until.js';
import { writeZip } from '../support/zip-writer.js';
import { Node, placeIn } from './nodes.js';

const STALL_MS = 30_000;
const noMounts = await whyNoMounts();

const pageOf = (name: string) => `<p>${name}</p>\n`.repeat(2_000);
const siteOf = (name: string, ballast = randomBytes(0)) =>
  writeZip([
    { name: 'index.html', content: pageOf(name) },
    { name: 'ballast.bin', content: ballast, method: 0 },
  ]);
const textOf = ({ body }: { readonly body: Buffer }) => body.toString();
const archivesIn = (node: Node) => readdir(join(node.cacheDirectory, 'archives'));

/** A node whose pages come from the local disk at best: nothing is kept in memory. */
const forgetfulNode = async (t: TestContext, ...options: string[]) => {
  const ceph = await sharedCeph();
  const place = placeIn(ceph, (await makeBucket(ceph)).name);
  const node = await Node.at(
    t,
    place,
    ceph.endpoints[0],
    ...['--cache-size', '0', '--search', 'off', ...options],
  );
  return { node, place, ceph };
};

describe('A node on Ceph', needsCeph, () => {
  it('serves cached pages while the store stalls for half a minute, refuses other requests with 503, and recovers by itself', async (t) => {
    const ceph = await startCeph();
    t.after(ceph.stop);
    const place = placeIn(ceph, (await makeBucket(ceph)).name);
    const [node, other] = await Promise.all([
      Node.started(t, place, ceph.endpoints[0], '--cache-size', '0'),
      Node.started(t, place, ceph.endpoints[1]),
    ]);
    assert.equal((await node.upload('cached-1.0', siteOf('cached'))).status, 201);
    assert.equal((await other.upload('foreign-1.0', siteOf('foreign'))).status, 201);
    await until(async () => JSON.stringify(await node.catalogue()).includes('foreign-1.0'));

    await ceph.pause('rgw.1');
    const end = performance.now() + STALL_MS;
    const failing = [
      node.get('/foreign-1.0/'),
      node.get('/api/download/foreign/1.0'),
      node.upload('refused-1.0', siteOf('refused')),
      node.remove('cached', '1.0'),
    ];
    let isStoreAwaited = true;
    const stopAwaiting = () => {
      isStoreAwaited = false;
    };
    Promise.race(failing).then(stopAwaiting, stopAwaiting);
    let reads = 0;
    let readsBeforeFailure = 0;
    while (performance.now() < end) {
      const page = await node.get('/cached-1.0/');
      assert.deepEqual([page.status, textOf(page)], [200, pageOf('cached')]);
      reads += 1;
      if (isStoreAwaited) readsBeforeFailure += 1;
      await pause(200);
    }
    // A page that waited for the store would take as long as what fails.
    assert.ok(readsBeforeFailure > 0);
    assert.ok(reads > 10);
    const ready = await node.get('/-/ready?verbose');
    assert.equal(ready.status, 200);
    assert.deepEqual(JSON.parse(textOf(ready)).warnings, ['store_unavailable']);
    assert.equal((await other.get('/foreign-1.0/')).status, 200);

    await ceph.resume('rgw.1');
    for (const { status, retryAfter } of (await Promise.all(failing)).slice(0, 3)) {
      assert.deepEqual([status, retryAfter], [503, '5']);
    }
    await until(async () => (await node.get('/foreign-1.0/')).status === 200);
    await until(async () => (await node.upload('after-1.0', siteOf('after'))).status < 300);
    await until(() => node.log.includes('the object store is reachable again'));
    assert.equal(node.log.split('the object store is unreachable').length, 2, node.log);
    assert.equal((await node.get('/refused-1.0/')).status, 404);
  });

  it('reads from the store when the cache disk is full, refuses uploads with 507, and leaves no partial file', {
    skip: noMounts ?? false,
  }, async (t) => {
    const { node, place, ceph } = await forgetfulNode(t, '--min-free-space', '0');
    const disk = node.cacheDirectory;
    await mkdir(disk);
    await mountTmpfs(disk, 'size=2m,mode=0700');
    try {
      const other = await Node.started(t, place, ceph.endpoints[1]);
      await node.start();
      assert.equal((await other.upload('tool-1.0', siteOf('tool', randomBytes(300_000)))).status, 201);
      await until(async () => (await node.get('/tool-1.0/')).status === 200);

      const ballast = join(disk, 'ballast');
      const { bavail, bsize } = await statfs(disk);
      await writeFile(ballast, Buffer.alloc((bavail - 2) * bsize));
      for (let read = 0; read < 5; read += 1) {
        assert.equal(textOf(await node.get('/tool-1.0/')), pageOf('tool'));
      }
      await until(() => node.log.includes('could not fetch an archive into the cache'));
      const refused = await node.upload('large-1.0', siteOf('large', randomBytes(300_000)));
      assert.equal(refused.status, 507);
      assert.deepEqual(await readdir(join(disk, 'incoming')), []);
      assert.deepEqual(await archivesIn(node), []);
      assert.equal(textOf(await node.get('/tool-1.0/')), pageOf('tool'));
      assert.equal((await node.remove('tool', '1.0')).status, 200);

      await rm(ballast);
      assert.equal((await node.upload('large-1.0', siteOf('large', randomBytes(300_000)))).status, 201);
      assert.equal(textOf(await node.get('/large-1.0/')), pageOf('large'));
      assert.equal((await archivesIn(node)).length, 1);
    } finally {
      await node.kill();
      await unmount(disk);
    }
  });

  for (const [what, harm] of [
    [
      'overwritten with other bytes',
      (file: string, whole: Buffer) => writeFile(file, randomBytes(whole.length)),
    ],
    ['cut in half', (file: string, whole: Buffer) => truncate(file, whole.length / 2)],
    ['damaged in one byte of a page', (file: string, whole: Buffer) => writeFile(file, flipped(whole, 60))],
    ['removed', (file: string) => rm(file)],
  ] as const) {
    it(`serves correct pages while a cached archive is ${what}, and fetches it again`, async (t) => {
      const { node } = await forgetfulNode(t);
      await node.start();
      await node.upload('tool-1.0', siteOf('tool', randomBytes(200_000)));
      const [name = ''] = await archivesIn(node);
      const file = join(node.cacheDirectory, 'archives', name);
      const whole = await readFile(file);
      const assertRight = async () => {
        assert.equal(textOf(await node.get('/tool-1.0/')), pageOf('tool'));
        const zipped = await node.get('/tool-1.0/', { 'Accept-Encoding': 'gzip' });
        assert.equal(gunzipSync(zipped.body).toString(), pageOf('tool'));
        assert.deepEqual((await node.get('/api/download/tool/1.0')).body, whole);
      };
      await assertRight();
      await harm(file, whole);
      // Read while it is noticed, and while it is fetched.
      await until(async () => {
        await assertRight();
        return (await readFile(file).catch(() => Buffer.alloc(0))).equals(whole);
      });
      assert.equal(node.log.includes('a cached archive is damaged'), what !== 'removed', node.log);
      await assertRight();
    });
  }
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}
