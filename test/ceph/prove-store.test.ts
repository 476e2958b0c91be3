import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proveStore } from '../../src/adapters/object-store/open-object-store.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';

describe('The proof of a store, on Ceph', needsCeph, () => {
  it('passes in a bucket without versioning, by several servers at once', async (t) => {
    const bucket = await makeBucket(await sharedCeph());
    const clients = await Promise.all(Array.from({ length: 4 }, () => bucket.open({ prefix: 'docs/' })));
    t.after(() => Promise.all(clients.map((client) => client.close())));
    assert.deepEqual(await Promise.all(clients.map(proveStore)), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    for await (const { key } of clients[0]!.list('')) assert.fail(`${key} was left`);
  });

  it('fails in a bucket with versioning, which overwrites', async (t) => {
    const bucket = await makeBucket(await sharedCeph(), { versioned: true });
    const client = await bucket.open();
    t.after(() => client.close());
    assert.match((await proveStore(client)) ?? '', /^the store overwrote an object .*without versioning/);
    for await (const { key } of client.list('')) assert.fail(`${key} was left`);
  });
});
