import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { StoreUnavailable } from '../../src/adapters/object-store/client/store-errors.js';
import { objectClientContract } from '../contracts/object-client.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';

const shared: MemoryBucket = new Map();
objectClientContract('MemoryObjectClient', (prefix, onRequest) => {
  return new MemoryObjectClient(shared, prefix, onRequest);
});

describe('The faults of a MemoryObjectClient', () => {
  const bytes = Buffer.from('some bytes');

  it('fail a request before or after its effect', async () => {
    const client = new MemoryObjectClient(new Map());
    client.faults = (operation, key) => (operation === 'create' && key === 'a' ? 'before' : undefined);
    await assert.rejects(client.create('a', bytes), StoreUnavailable);
    assert.equal(await client.get('a'), undefined);
    client.faults = (operation) => (operation === 'create' ? 'after' : undefined);
    await assert.rejects(client.create('a', bytes), StoreUnavailable);
    assert.equal((await client.get('a'))?.size, bytes.length);
  });

  it('repeat a create, which then meets its own object', async () => {
    const client = new MemoryObjectClient(new Map());
    client.faults = () => 'repeated';
    assert.equal(await client.create('a', bytes), 'exists');
    assert.equal(String(await buffer((await client.get('a'))!.body)), 'some bytes');
  });

  it('truncate a body', async () => {
    const client = new MemoryObjectClient(new Map());
    await client.put('a', bytes);
    client.faults = () => ({ cutAfter: 4 });
    const chunks: Uint8Array[] = [];
    await assert.rejects(async () => {
      for await (const chunk of (await client.get('a'))!.body) chunks.push(chunk);
    }, StoreUnavailable);
    assert.equal(String(Buffer.concat(chunks)), 'some');
  });

  it('stall a request until the test resumes it, or its signal aborts it', async () => {
    const client = new MemoryObjectClient(new Map());
    await client.put('a', bytes);
    let goOn = () => {};
    const stalled = new Promise<undefined>((resolve) => {
      goOn = () => resolve(undefined);
    });
    client.faults = () => stalled;
    const abort = new AbortController();
    setImmediate(() => abort.abort(new Error('given up')));
    await assert.rejects(client.get('a', undefined, abort.signal), /given up/);
    const read = client.get('a');
    goOn();
    assert.equal((await read)?.size, bytes.length);
  });
});
