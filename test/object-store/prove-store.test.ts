import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreRefused, StoreUnavailable } from '../../src/adapters/object-store/client/store-errors.js';
import { proveStore } from '../../src/adapters/object-store/open-object-store.js';
import { type Honesty, startFakeS3 } from '../support/fake-s3.js';
import { type Faults, type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';

describe('The proof of a store', () => {
  it('passes on a store with exclusive creation, and leaves nothing there', async () => {
    const bucket: MemoryBucket = new Map();
    const client = new MemoryObjectClient(bucket, 'docs/');
    const written: string[] = [];
    client.faults = (operation, key) => {
      if (operation === 'create') written.push(key);
      return undefined;
    };
    assert.equal(await proveStore(client), undefined);
    assert.equal(bucket.size, 0);
    assert.equal(written.length, 2 * (2 + 16));
    assert.equal(new Set(written).size, 4);
    assert.ok(written.every((key) => key.startsWith('proof/')));
  });

  it('passes on a store that loses a response, so that its client meets its own object', async () => {
    for (const lost of [1, 3, 20]) {
      const bucket: MemoryBucket = new Map();
      const client = new MemoryObjectClient(bucket);
      let creates = 0;
      client.faults = (operation) => {
        if (operation === 'create') creates += 1;
        return operation === 'create' && creates === lost ? 'repeated' : undefined;
      };
      assert.equal(await proveStore(client), undefined);
      assert.equal(bucket.size, 0);
    }
  });

  for (const [honesty, sentence] of [
    ['lying', /^the store overwrote an object despite If-None-Match\. .*without versioning/],
    ['ignorant', /^the store returned 501 for a PUT with If-None-Match: /],
    ['racy', /^the store let ([2-9]|1\d) of 16 writers create one object\. .*without versioning/],
  ] as const satisfies readonly (readonly [Honesty, RegExp])[]) {
    it(`reports the fault of a store that is ${honesty}, and leaves nothing there`, async (t) => {
      const fake = await startFakeS3(honesty);
      t.after(fake.close);
      const client = await fake.open({ prefix: 'docs/' });
      t.after(() => client.close());
      assert.match((await proveStore(client)) ?? '', sentence);
      assert.ok(fake.requests.length > 0);
      assert.ok(fake.requests.every((request) => request.includes('/bucket/docs/proof/')));
      assert.deepEqual([...fake.objects.keys()], []);
    });
  }

  it('reports a created object that is missing', async () => {
    const client = new MemoryObjectClient(new Map());
    client.create = async () => 'created';
    assert.match(
      (await proveStore(client)) ?? '',
      /^the store did not return the object that was just created\./,
    );
  });

  it('ends with the error of an unreachable or refusing store, and removes its objects', async () => {
    for (const [failing, at] of [
      ['create', 2],
      ['create', 9],
      ['get', 3],
    ] as const) {
      const bucket: MemoryBucket = new Map();
      const client = new MemoryObjectClient(bucket);
      let requests = 0;
      client.faults = ((operation) => {
        if (operation === failing) requests += 1;
        return operation === failing && requests === at ? 'after' : undefined;
      }) satisfies Faults;
      await assert.rejects(proveStore(client), StoreUnavailable);
      assert.equal(bucket.size, 0);
    }
    const client = new MemoryObjectClient(new Map());
    client.remove = () => Promise.reject(new StoreRefused('the store returned 403 AccessDenied', 403));
    await assert.rejects(proveStore(client), StoreRefused);
  });
});
