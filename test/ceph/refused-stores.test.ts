import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { FAKE_CREDENTIALS, type Honesty, startFakeS3 } from '../support/fake-s3.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { Node, type Place, placeIn } from './nodes.js';

const SITE = zipOf({ 'index.html': 'a page' });
const FAKE: Place = {
  store: 's3://bucket/team',
  accessKey: FAKE_CREDENTIALS.accessKeyId,
  secretKey: FAKE_CREDENTIALS.secretAccessKey,
};

async function fakeStore(t: TestContext, honesty: Honesty) {
  const fake = await startFakeS3(honesty);
  t.after(fake.close);
  return fake;
}

/** Starts a server on a store that it must refuse. @returns the one line that it says */
async function refusalOf(t: TestContext, place: Place, endpoint: string): Promise<string> {
  const node = await Node.at(t, place, endpoint);
  const { code, stdout, stderr } = await node.runToItsEnd();
  assert.deepEqual([code, stdout, stderr.split('\n').length], [2, '', 2], stderr);
  return stderr;
}

describe('lectern serve --store on a store that creates no objects exclusively', () => {
  for (const [honesty, sentence] of [
    ['ignorant', /the store returned 501 for a PUT with If-None-Match/],
    ['lying', /the store overwrote an object despite If-None-Match/],
    ['racy', /the store let \d+ of 16 writers create one object/],
  ] as const) {
    it(`ends with one line that names the fault of a store that is ${honesty}, and leaves nothing there`, async (t) => {
      const fake = await fakeStore(t, honesty);
      const line = await refusalOf(t, FAKE, fake.endpoint);
      assert.match(line, sentence);
      assert.match(line, /^\S.*s3:\/\/bucket\/team at http:\S+: .*--single-writer/);
      assert.deepEqual([...fake.objects.keys()], []);
    });
  }

  it('ends with one line that names the versioning of a Ceph bucket', needsCeph, async (t) => {
    const ceph = await sharedCeph();
    const bucket = await makeBucket(ceph, { versioned: true });
    const line = await refusalOf(t, placeIn(ceph, bucket.name), ceph.endpoints[0]);
    assert.match(line, /the store overwrote an object .*without versioning/);
  });

  it('serves and takes uploads with --single-writer, and warns', async (t) => {
    for (const honesty of ['ignorant', 'lying'] as const) {
      const fake = await fakeStore(t, honesty);
      const node = await Node.started(t, FAKE, fake.endpoint, '--single-writer', '--search', 'off');
      assert.equal((await node.upload('tool-1.0', SITE)).status, 201);
      assert.equal((await node.upload('tool-1.0', SITE)).status, 200);
      assert.equal((await node.get('/tool-1.0/')).body.toString(), 'a page');
      assert.match(node.log, /only this server may accept uploads: the store (returned 501|overwrote)/);
    }
  });

  it('skips the proof without tokens: the log says so, the server reads, and nothing is written', async (t) => {
    const fake = await fakeStore(t, 'lying');
    const node = await Node.at(t, FAKE, fake.endpoint);
    await node.start({ withTokens: false });
    assert.equal((await node.get('/')).status, 200);
    assert.equal((await node.upload('tool-1.0', SITE)).status, 401);
    assert.match(node.log, /skipped the check of the object store: without tokens, this server is read-only/);
    assert.deepEqual(
      fake.requests.filter((request) => !request.startsWith('GET ')),
      [],
    );
  });
});

describe('A commit of a newer Lectern', needsCeph, () => {
  it('stops nodes that do not know its kind: no page, no change, no start', async (t) => {
    const ceph = await sharedCeph();
    const bucket = await makeBucket(ceph);
    const place = placeIn(ceph, bucket.name);
    const node = await Node.started(t, place, ceph.endpoints[0], '--search', 'off');
    assert.equal((await node.upload('tool-1.0', SITE)).status, 201);
    assert.equal((await node.get('/tool-1.0/')).status, 200);

    const client = await bucket.open({ prefix: 'team/' });
    t.after(() => client.close());
    const first = await client.get('log/999999999999');
    const newer = JSON.parse(String(await buffer(first!.body)));
    newer.change = { kind: 'alias', name: 'stable' };
    await client.create('log/999999999998', Buffer.from(JSON.stringify(newer)));

    await until(async () => (await node.get('/-/ready')).status === 503);
    const { status, retryAfter } = await node.get('/tool-1.0/');
    assert.deepEqual([status, retryAfter], [503, '5']);
    assert.equal((await node.upload('tool-2.0', SITE)).status, 503);
    assert.equal((await node.remove('tool', '1.0')).status, 503);
    assert.match(node.log, /Commit 2 of the log cannot be read: .*update this node/);
    let commits = 0;
    for await (const _ of client.list('log/')) commits += 1;
    assert.equal(commits, 2);

    assert.match(await refusalOf(t, place, ceph.endpoints[1]), /Commit 2 of the log cannot be read/);
  });
});
