import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import type { Listing, ObjectClient } from '../../src/adapters/object-store/client/object-client.js';
import { StoreError, StoreRefused } from '../../src/adapters/object-store/client/store-errors.js';
import type { StoreObserver, StoreRequest } from '../../src/application/index.js';

/**
 * Opens a client of one and the same bucket, each time through another gateway if there are several. Where the size of
 * an answer to a list can be set, it is less than 60.
 */
export type OpenClient = (prefix: string, onRequest?: StoreObserver) => Promise<ObjectClient> | ObjectClient;

const TWENTY_MIB = 20 * 1024 * 1024;
const ODD_KEYS = ['a b', 'ä/鍵', '+%2F', 'a//b', '~!*()\'"&=;:@,$?#', 'x'.repeat(900)];

/** The promises of `ObjectClient`, sentence by sentence. */
export function objectClientContract(
  name: string,
  open: OpenClient,
  options: { readonly skip?: string } = {},
): void {
  describe(`${name} keeps the promises of an ObjectClient`, options, () => {
    /** Two clients of one fresh prefix. */
    const openTwo = async (t: TestContext) => {
      const prefix = `${randomUUID()}/`;
      const clients = [await open(prefix), await open(prefix)] as const;
      t.after(() => Promise.all(clients.map((client) => client.close())));
      return clients;
    };

    it('creates an object once, and reports that to every later writer', async (t) => {
      const [one, other] = await openTwo(t);
      assert.equal(await one.create('log/1', Buffer.from('first')), 'created');
      assert.equal(await other.create('log/1', Buffer.from('second')), 'exists');
      assert.equal(await one.create('log/1', Buffer.from('first')), 'exists');
      assert.equal(await textOf(other, 'log/1'), 'first');
    });

    it('lets exactly one of many writers create an object, and keeps its bytes', async (t) => {
      const clients = await openTwo(t);
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => clients[n % 2]!.create('race', Buffer.from(`writer ${n}`))),
      );
      const winners = answers.flatMap((answer, n) => (answer === 'created' ? [`writer ${n}`] : []));
      assert.equal(winners.length, 1);
      assert.equal(await textOf(clients[0], 'race'), winners[0]);
    });

    it('overwrites an object, and another client reads the new bytes at once', async (t) => {
      const [one, other] = await openTwo(t);
      for (const text of ['one', 'two', '', 'four']) {
        await one.put('a', Buffer.from(text));
        assert.equal(await textOf(other, 'a'), text);
      }
    });

    it('uploads local files, also in multiple parts', async (t) => {
      const [one, other] = await openTwo(t);
      const directory = await mkdtemp(join(tmpdir(), 'lectern-objects-'));
      t.after(() => rm(directory, { recursive: true }));
      for (const size of [0, 1, 100_000, TWENTY_MIB + 1]) {
        const bytes = randomBytes(size);
        const path = join(directory, String(size));
        await writeFile(path, bytes);
        await one.put('file', { path, size });
        const read = await other.get('file');
        assert.equal(read?.size, size);
        assert.ok((await buffer(read.body)).equals(bytes));
        await assert.rejects(one.put('wrong', { path, size: size + 1 }));
        if (size > 0) await assert.rejects(one.put('wrong', { path, size: size - 1 }));
        assert.equal(await other.get('wrong'), undefined);
      }
      await assert.rejects(one.put('wrong', { path: join(directory, 'none'), size: 1 }));
      assert.deepEqual(await keysOf(other), ['file']);
    });

    it('reads whole objects and ranges, with the size of the whole', async (t) => {
      const [one] = await openTwo(t);
      const bytes = randomBytes(300_000);
      await one.put('a', bytes);
      const whole = await one.get('a');
      assert.equal(whole?.size, 300_000);
      assert.match(whole.etag, /^[^"]+$/);
      assert.ok((await buffer(whole.body)).equals(bytes));
      for (const [start, end] of [
        [0, 0],
        [10, 200_000],
        [299_999, 299_999],
        [299_999, 400_000],
        [0, Number.MAX_SAFE_INTEGER],
      ] as const) {
        const part = await one.get('a', { start, end });
        assert.equal(part?.size, 300_000);
        assert.equal(part.etag, whole.etag);
        assert.ok((await buffer(part.body)).equals(bytes.subarray(start, end + 1)), `${start}-${end}`);
      }
    });

    it('refuses a range that begins past the end', async (t) => {
      const [one] = await openTwo(t);
      await one.put('a', Buffer.from('abc'));
      await assert.rejects(one.get('a', { start: 3, end: 3 }), StoreRefused);
    });

    it('returns undefined for a missing object, whole and in part', async (t) => {
      const [one] = await openTwo(t);
      await one.put('ab', Buffer.from('b'));
      assert.equal(await one.get('a'), undefined);
      assert.equal(await one.get('a', { start: 0, end: 9 }), undefined);
    });

    it('aborts a get, and its body, with the reason of its signal', async (t) => {
      const [one] = await openTwo(t);
      await one.put('a', randomBytes(2_000_000));
      const reason = new Error('enough');
      await assert.rejects(one.get('a', undefined, AbortSignal.abort(reason)), reason);
      const controller = new AbortController();
      const read = await one.get('a', undefined, controller.signal);
      await assert.rejects(async () => {
        for await (const _ of read!.body) controller.abort(reason);
      }, reason);
      assert.equal((await buffer((await one.get('a'))!.body)).length, 2_000_000);
    });

    it('allows a body to be left half read, again and again', async (t) => {
      const [one] = await openTwo(t);
      await one.put('a', randomBytes(1_000_000));
      for (let n = 0; n < 300; n += 1) {
        for await (const _ of (await one.get('a'))!.body) break;
      }
    });

    it('lists objects with a prefix, sorted by bytes, with sizes and times', async (t) => {
      const [one, other] = await openTwo(t);
      const keys = ['log/1', 'log/10', 'log/2', 'log', 'logs', 'Log/3', 'log/ä', 'log/~', 'x/log/1'];
      for (const key of keys) await one.put(key, Buffer.from(key));
      const listed = [];
      for await (const each of other.list('log/')) listed.push(each);
      assert.deepEqual(
        listed.map(({ key, size }) => [key, size]),
        ['log/1', 'log/10', 'log/2', 'log/~', 'log/ä'].map((key) => [key, Buffer.byteLength(key)]),
      );
      for (const { modifiedAt } of listed) assert.ok(Math.abs(Date.now() - +modifiedAt) < 60_000);
      assert.deepEqual(await keysOf(other, 'log'), [
        'log',
        'log/1',
        'log/10',
        'log/2',
        'log/~',
        'log/ä',
        'logs',
      ]);
      assert.equal((await keysOf(other)).length, keys.length);
      assert.deepEqual(await keysOf(other, 'none/'), []);
    });

    it('lists objects after a key, up to the requested number', async (t) => {
      const [one, other] = await openTwo(t);
      for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) await one.put(key, Buffer.from(''));
      assert.deepEqual(await keysOf(other, 'a/', { max: 1 }), ['a/1']);
      assert.deepEqual(await keysOf(other, 'a/', { after: 'a/1' }), ['a/2', 'a/3']);
      assert.deepEqual(await keysOf(other, 'a/', { after: 'a/15', max: 1 }), ['a/2']);
      assert.deepEqual(await keysOf(other, 'a/', { after: 'a/3' }), []);
      assert.deepEqual(await keysOf(other, 'a/', { max: 0 }), []);
    });

    it('lists and removes many objects, whatever the page size', async (t) => {
      const [one, other] = await openTwo(t);
      const keys = Array.from({ length: 60 }, (_, n) => `many/${String(n).padStart(4, '0')}`);
      await Promise.all(keys.map((key) => one.put(key, Buffer.from('x'))));
      assert.deepEqual(await keysOf(other, 'many/'), keys);
      assert.deepEqual(await keysOf(one, 'many/', { max: 55 }), keys.slice(0, 55));
      assert.deepEqual(await keysOf(one, 'many/', { after: keys[4]!, max: 45 }), keys.slice(5, 50));
      await one.remove(keys.slice(1));
      assert.deepEqual(await keysOf(other, 'many/'), keys.slice(0, 1));
    });

    it('removes exactly the given objects, and ignores missing ones', async (t) => {
      const [one, other] = await openTwo(t);
      for (const key of ['a', 'ab', 'a/b']) await one.put(key, Buffer.from(key));
      await other.remove(['a', 'none', 'a']);
      await other.remove([]);
      assert.equal(await one.get('a'), undefined);
      assert.deepEqual(await keysOf(one), ['a/b', 'ab']);
      assert.equal(await other.create('a', Buffer.from('again')), 'created');
    });

    it('accepts unusual keys', async (t) => {
      const [one, other] = await openTwo(t);
      for (const key of ODD_KEYS) {
        assert.equal(await one.create(key, Buffer.from(key)), 'created', key);
        assert.equal(await textOf(other, key), key);
      }
      const sorted = [...ODD_KEYS].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(await keysOf(other), sorted);
      for (const key of ODD_KEYS) assert.deepEqual((await keysOf(other, key))[0], key);
      await other.remove(ODD_KEYS);
      assert.deepEqual(await keysOf(one), []);
    });

    it('stays within its prefix', async (t) => {
      const [one] = await openTwo(t);
      const [other] = await openTwo(t);
      await one.put('a', Buffer.from('one'));
      assert.equal(await other.get('a'), undefined);
      await other.remove(['a']);
      assert.equal(await other.create('a', Buffer.from('other')), 'created');
      assert.deepEqual(await keysOf(other), ['a']);
      assert.equal(await textOf(one, 'a'), 'one');
    });

    it('makes URLs that name the object', async (t) => {
      const [one] = await openTwo(t);
      const address = await one.presignedGet('a b.zip', { seconds: 60, fileName: 'docs.zip' });
      assert.match(address, /a%20b\.zip\?/);
    });

    it('notifies its observer of every request and its result', async (t) => {
      const requests: StoreRequest[] = [];
      const client = await open(`${randomUUID()}/`, (request) => requests.push(request));
      t.after(() => client.close());
      await client.create('a', Buffer.from('1'));
      await client.create('a', Buffer.from('1'));
      await client.put('b', Buffer.from('1'));
      await textOf(client, 'a');
      await client.get('none');
      await client.get('a', { start: 5, end: 5 }).catch(() => {});
      await keysOf(client);
      await client.remove(['a', 'b']);
      assert.deepEqual(
        requests.map(({ operation, result }) => `${operation} ${result}`),
        'create ok, create exists, put ok, get ok, get missing, get refused, list ok, remove ok, remove ok'.split(
          ', ',
        ),
      );
      for (const { seconds } of requests) assert.ok(seconds >= 0 && seconds < 10);
    });

    it('fails once it is closed, and can be closed twice', async () => {
      const client = await open(`${randomUUID()}/`);
      await client.put('a', Buffer.from('1'));
      await client.close();
      await client.close();
      await assert.rejects(client.get('a'), StoreError);
      await assert.rejects(client.create('b', Buffer.from('1')), StoreError);
    });
  });
}

async function textOf(client: ObjectClient, key: string): Promise<string | undefined> {
  const found = await client.get(key);
  return found && String(await buffer(found.body));
}

async function keysOf(client: ObjectClient, prefix = '', listing: Listing = {}): Promise<readonly string[]> {
  const keys = [];
  for await (const { key } of client.list(prefix, listing)) keys.push(key);
  return keys;
}
