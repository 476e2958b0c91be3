import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { StoreRefused, StoreUnavailable } from '../../src/adapters/object-store/client/store-errors.js';
import { objectClientContract } from '../contracts/object-client.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph, startCeph } from '../support/ceph/ceph.js';
import { until } from '../support/until.js';

let bucket: ReturnType<typeof makeBucket> | undefined;
const sharedBucket = () => {
  bucket ??= sharedCeph().then((ceph) => makeBucket(ceph));
  return bucket;
};

objectClientContract(
  'S3ObjectClient, on Ceph through two gateways,',
  async (prefix, onRequest) => {
    return (await sharedBucket()).open({ prefix, pageSize: 25, ...(onRequest && { onRequest }) });
  },
  needsCeph,
);

describe('An S3ObjectClient on Ceph', needsCeph, () => {
  it('makes addresses that anyone can download from, and nothing more', async (t) => {
    const client = await (await sharedBucket()).open({ prefix: 'presigned/' });
    t.after(() => client.close());
    await client.put('a b.zip', Buffer.from('some bytes'));
    const address = await client.presignedGet('a b.zip', { seconds: 60, fileName: 'mäp "1".zip' });
    const whole = await fetch(address);
    assert.equal(await whole.text(), 'some bytes');
    assert.equal(
      whole.headers.get('content-disposition'),
      `attachment; filename="m_p__1_.zip"; filename*=UTF-8''m%C3%A4p%20%221%22.zip`,
    );
    const part = await fetch(address, { headers: { range: 'bytes=5-' } });
    assert.equal(part.status, 206);
    assert.equal(await part.text(), 'bytes');
    assert.equal((await fetch(address.replace('a%20b', 'c'))).status, 403);
    assert.equal((await fetch(address, { method: 'DELETE' })).status, 403);
    const missing = await client.presignedGet('none', { seconds: 60 });
    assert.equal((await fetch(missing)).status, 404);
  });

  it('is refused with wrong credentials, and without its bucket', async (t) => {
    const { open } = await sharedBucket();
    for (const options of [
      { credentials: { accessKeyId: 'testkey', secretAccessKey: 'wrong' } },
      { credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } },
      { bucket: 'no-such-bucket' },
    ]) {
      const client = await open(options);
      t.after(() => client.close());
      await assert.rejects(client.create('a', Buffer.from('x')), StoreRefused);
      await assert.rejects(client.get('a'), StoreRefused);
    }
  });

  it('fails while its gateway stalls or is gone, and recovers with it', async (t) => {
    const ceph = await startCeph();
    t.after(ceph.stop);
    const [endpoint] = ceph.endpoints;
    const bucket = await makeBucket(ceph);
    const client = await bucket.open({ endpoint, timeoutMs: 400 });
    t.after(() => client.close());
    // For what has to succeed, however slow the machine is.
    const patient = await bucket.open({ endpoint });
    t.after(() => patient.close());
    const works = () =>
      patient.put('before', Buffer.from('x')).then(
        () => true,
        () => false,
      );
    await until(works);
    await ceph.pause('rgw.1');
    await assert.rejects(client.create('a', Buffer.from('mine')), StoreUnavailable);
    await ceph.resume('rgw.1');
    await until(works);
    // The gateway may have carried out the request since.
    await patient.create('a', Buffer.from('mine'));
    assert.equal(String(await buffer((await patient.get('a'))!.body)), 'mine');
    await ceph.kill('rgw.1');
    await assert.rejects(client.get('a'), { name: 'StoreUnavailable', code: /^ECONN/ });
    await ceph.start('rgw.1');
    await until(works);
    assert.equal(String(await buffer((await patient.get('a'))!.body)), 'mine');
  });
});
