import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import type { StoredObject } from '../../src/adapters/object-store/client/object-client.js';
import type { S3Options } from '../../src/adapters/object-store/client/s3-object-client.js';
import {
  StoreRefused,
  StoreUnavailable,
  StoreUnsupported,
} from '../../src/adapters/object-store/client/store-errors.js';
import type { StoreRequest } from '../../src/application/index.js';
import { fail, type Honesty, startFakeS3 } from '../support/fake-s3.js';

const BYTES = Buffer.from('some bytes');

/** Options of clients that are to give up soon; the rest has the time that a busy machine may take. */
const SOON = { timeoutMs: 300 };

async function startBoth(t: TestContext, honesty: Honesty = 'honest', options: Partial<S3Options> = {}) {
  const fake = await startFakeS3(honesty);
  t.after(fake.close);
  const results: string[] = [];
  const onRequest = ({ operation, result }: StoreRequest) => results.push(`${operation} ${result}`);
  const client = await fake.open({ timeoutMs: 60_000, onRequest, ...options });
  t.after(() => client.close());
  return { fake, client, results };
}

describe('An S3ObjectClient whose store fails', () => {
  it('reports a store that does not support If-None-Match', async (t) => {
    const { fake, client, results } = await startBoth(t, 'ignorant');
    await assert.rejects(client.create('a', BYTES), { name: 'StoreUnsupported', status: 501 });
    assert.equal(fake.objects.size, 0);
    assert.deepEqual(results, ['create refused']);
  });

  it('retries a create after a conflict, and gives up after some attempts', async (t) => {
    const { fake, client, results } = await startBoth(t);
    let conflicts = 3;
    fake.intercept = (_, response) => {
      conflicts -= 1;
      if (conflicts >= 0) fail(response, 409, 'ConditionalRequestConflict');
      return conflicts >= 0;
    };
    assert.equal(await client.create('a', BYTES), 'created');
    assert.equal(fake.requests.length, 4);
    conflicts = 100;
    await assert.rejects(client.create('b', BYTES), StoreUnavailable);
    assert.ok(fake.requests.length < 15);
    assert.deepEqual(results, ['create ok', 'create failed']);
  });

  it('retries after a 503 and a cut connection, and gives up after three attempts', async (t) => {
    const { fake, client, results } = await startBoth(t);
    for (const failing of [
      (response: ServerResponse) => fail(response, 503, 'SlowDown'),
      (response: ServerResponse) => response.destroy(),
    ]) {
      let failures = 1;
      fake.intercept = (_, response) => {
        failures -= 1;
        if (failures >= 0) failing(response);
        return failures >= 0;
      };
      await client.put('a', BYTES);
      assert.equal(await textOf(client.get('a')), 'some bytes');
      fake.requests.length = 0;
      failures = 3;
      await assert.rejects(client.put('a', BYTES), StoreUnavailable);
      assert.equal(fake.requests.length, 3);
      failures = 3;
      await assert.rejects(client.get('a'), StoreUnavailable);
    }
    assert.equal(results.filter((each) => each === 'put failed').length, 2);
  });

  it('reports an existing object when the response to its own create was lost', async (t) => {
    const { fake, client } = await startBoth(t);
    fake.intercept = (_, response) => {
      fake.objects.set('a', BYTES);
      response.destroy();
      fake.intercept = () => false;
      return true;
    };
    assert.equal(await client.create('a', BYTES), 'exists');
  });

  it('gives up on an unresponsive store after its time limit, in every operation', async (t) => {
    const { fake, client } = await startBoth(t, 'honest', SOON);
    fake.intercept = () => true;
    const patient = await fake.open({ timeoutMs: 3_600_000 });
    let isWaiting = true;
    const waiting = [patient.get('a'), patient.put('a', BYTES)].map((asked) =>
      asked.catch(() => {
        isWaiting = false;
      }),
    );
    await Promise.all([
      assert.rejects(client.create('a', BYTES), StoreUnavailable),
      assert.rejects(client.put('a', BYTES), StoreUnavailable),
      assert.rejects(client.get('a'), StoreUnavailable),
      assert.rejects(client.list('a')[Symbol.asyncIterator]().next(), StoreUnavailable),
      assert.rejects(client.remove(['a']), StoreUnavailable),
    ]);
    assert.equal(isWaiting, true);
    await patient.close();
    await Promise.all(waiting);
  });

  it('gives up on a store whose port is closed', async (t) => {
    const { client } = await startBoth(t);
    const gone = await startFakeS3();
    const other = await gone.open();
    await gone.close();
    await assert.rejects(other.get('a'), { name: 'StoreUnavailable', code: 'ECONNREFUSED' });
    assert.equal(await client.get('a'), undefined);
  });

  it('never accepts half a response as whole', async (t) => {
    const { fake, client } = await startBoth(t, 'honest', SOON);
    const sizes = { cut: 4, stalled: 4, nothing: 0 };
    for (const [how, size] of Object.entries(sizes)) {
      fake.intercept = (_, response) => {
        response.writeHead(200, { etag: '"x"', 'content-length': 10 });
        response.write(BYTES.subarray(0, size));
        if (how !== 'stalled') setTimeout(() => response.destroy(), 20);
        return true;
      };
      const read = await client.get('a');
      assert.equal(read?.size, 10);
      const chunks: Uint8Array[] = [];
      await assert.rejects(async () => {
        for await (const chunk of read.body) chunks.push(chunk);
      }, StoreUnavailable);
      assert.equal(String(Buffer.concat(chunks)), 'some'.slice(0, size));
    }
  });

  it('lets a slow reader of a body finish', async (t) => {
    const { fake, client } = await startBoth(t, 'honest', SOON);
    fake.objects.set('a', Buffer.alloc(3_000_000));
    const read = await client.get('a');
    let received = 0;
    for await (const chunk of read!.body) {
      if (received === 0) await new Promise((resolve) => setTimeout(resolve, 1_000));
      received += chunk.length;
    }
    assert.equal(received, 3_000_000);
  });

  it('refuses a whole object in place of a range', async (t) => {
    const { fake, client } = await startBoth(t);
    fake.intercept = (_, response) => {
      response.writeHead(200, { 'content-length': BYTES.length }).end(BYTES);
      return true;
    };
    await assert.rejects(client.get('a', { start: 1, end: 2 }), StoreRefused);
  });

  it('refuses another range than the requested one, however complete it looks', async (t) => {
    const { fake, client } = await startBoth(t);
    for (const [range, length] of [
      ['bytes 2-4/10', 3],
      ['bytes 1-6/10', 6],
      ['bytes 2-6/10', 4],
    ] as const) {
      fake.intercept = (_, response) => {
        response.writeHead(206, { 'content-range': range, 'content-length': length });
        response.end(BYTES.subarray(2, 2 + length));
        return true;
      };
      await assert.rejects(client.get('a', { start: 2, end: 6 }), StoreUnavailable, range);
    }
    fake.intercept = () => false;
    fake.objects.set('a', BYTES);
    assert.equal(await textOf(client.get('a', { start: 5, end: 100 })), 'bytes');
  });

  it('distinguishes a missing object and a missing bucket', async (t) => {
    const { fake, client, results } = await startBoth(t);
    assert.equal(await client.get('a'), undefined);
    fake.intercept = (_, response) => {
      fail(response, 404, 'NoSuchBucket');
      return true;
    };
    await assert.rejects(client.get('a'), { name: 'StoreRefused', code: 'NoSuchBucket' });
    assert.deepEqual(results, ['get missing', 'get refused']);
  });

  it('aborts running requests when closed', async (t) => {
    const { fake, client } = await startBoth(t);
    fake.intercept = () => {
      void client.close();
      return true;
    };
    await assert.rejects(client.get('a'), StoreUnavailable);
  });

  it("reports a refusal without credentials and without the store's texts", async (t) => {
    const { fake, client } = await startBoth(t, 'honest', { prefix: 'docs/' });
    for (const [status, code, type] of [
      [403, 'SignatureDoesNotMatch', StoreRefused],
      [403, 'InvalidAccessKeyId', StoreRefused],
      [400, 'BadRequest', StoreRefused],
      [500, 'InternalError', StoreUnavailable],
      [501, 'NotImplemented', StoreUnsupported],
    ] as const) {
      fake.intercept = (_, response) => {
        fail(response, status, code);
        return true;
      };
      const error = await client.put('a', BYTES).catch((reason) => reason);
      assert.ok(error instanceof type);
      assert.equal(
        error.message,
        `the store returned ${status} ${code} (put of 'docs/a' in the bucket 'bucket')`,
      );
      assert.doesNotMatch(
        inspect(error, { depth: 9, showHidden: true }),
        /the-access-key|the-secret-key|Signature=/,
      );
    }
  });

  it('distinguishes errors of the local disk from errors of the store', async (t) => {
    const { fake, client } = await startBoth(t);
    const directory = await mkdtemp(join(tmpdir(), 'lectern-s3-'));
    t.after(() => rm(directory, { recursive: true }));
    const path = join(directory, 'archive');
    await assert.rejects(client.put('a', { path, size: 1 }), { code: 'ENOENT' });
    await writeFile(path, BYTES);
    await truncate(path, 3);
    await assert.rejects(client.put('a', { path, size: 10 }), /has 3 bytes, not 10/);
    assert.deepEqual(fake.requests, []);
  });
});

async function textOf(asked: Promise<StoredObject | undefined>) {
  return String(await buffer((await asked)!.body));
}
