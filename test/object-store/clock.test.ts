import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Changes, ExpirePreviews } from '../../src/application/index.js';
import { Housekeeping } from '../../src/composition/housekeeping.js';
import { idOf, publish, readPage, removedOf } from '../contracts/doc-store.js';
import { startFakeS3 } from '../support/fake-s3.js';
import type { MemoryBucket } from '../support/memory-object-client.js';
import { until } from '../support/until.js';
import { openNode } from './support.js';

const DAY = 24 * 3_600_000;
const SITE = { 'index.html': 'x' };
const KEEP = { keepRemovedMs: 7 * DAY };

describe("The clock of a node compared with its object store's", () => {
  for (const [what, off] of [
    ['ahead', 400 * DAY],
    ['behind', -3 * 365 * DAY],
  ] as const) {
    it(`timestamps no removal when it is ${what}: a node with a correct clock can restore it`, async (t) => {
      const bucket: MemoryBucket = new Map();
      const wrong = await openNode(t, bucket, KEEP);
      // The node has the clock of this test, so the store's is moved.
      const storeNow = Date.now() - off;
      wrong.client.clock = () => storeNow;
      await publish(wrong.store, 'a-1.0', SITE);
      await wrong.store.remove(idOf('a-1.0'));
      const removed = await removedOf(wrong.store, 'a-1.0');
      assert.equal(removed.removedAt.getTime(), storeNow);
      assert.equal((await wrong.store.judgeClock(new Date())).kind, 'doubtful');
      const right = await openNode(t, bucket, KEEP);
      right.client.clock = () => storeNow;
      await right.store.restore(await removedOf(right.store, 'a-1.0'), { replace: false });
      assert.equal(await readPage(right.store, 'a-1.0', 'index.html'), 'x');
    });
  }

  it('timestamps removals as long as it is correct within minutes', async (t) => {
    const { store, client } = await openNode(t, new Map(), KEEP);
    client.clock = () => Date.now() + 10 * 60_000;
    await publish(store, 'a-1.0', SITE);
    const before = Date.now();
    await store.remove(idOf('a-1.0'));
    const { removedAt } = await removedOf(store, 'a-1.0');
    assert.ok(removedAt.getTime() >= before && removedAt.getTime() <= Date.now());
  });

  it("is doubted when the store's responses have no Date", async (t) => {
    const { store, client } = await openNode(t, new Map(), KEEP);
    client.clock = () => undefined;
    assert.equal((await store.judgeClock(new Date())).kind, 'doubtful');
  });

  it('stops removals of the one of two nodes that is wrong, and not of the other one', async (t) => {
    const bucket: MemoryBucket = new Map();
    const [wrong, right] = [await openNode(t, bucket, KEEP), await openNode(t, bucket, KEEP)];
    const year = 365 * DAY;
    const ahead = () => new Date(Date.now() + year);
    for (const name of ['due', 'long', 'endless']) {
      const expiresAt = { due: new Date(Date.now() - 1), long: new Date(Date.now() + 30 * DAY) }[name];
      await publish(right.store, `a~${name}`, SITE, expiresAt === undefined ? {} : { expiresAt });
    }
    await publish(right.store, 'b-1.0', SITE);
    await right.store.remove(idOf('b-1.0'));
    const before = bucket.size;
    const rounds = { wrong: 0, right: 0 };
    const housekeepingOf = ({ store }: typeof wrong, name: 'wrong' | 'right', now: () => Date) => {
      const expire = new ExpirePreviews(store, new Changes(store));
      const chore = {
        name: 'everything by time',
        run: async (time: Date) => {
          for await (const _ of expire.execute(time)) rounds[name] += 1;
          await store.clearUp(time);
          return undefined;
        },
        runWithoutClock: async () => {
          rounds[name] += 1;
        },
      };
      const reports: string[] = [];
      const report = (message: string) => void reports.push(message);
      const housekeeping = new Housekeeping(store, [chore], { report, now, quietMs: 0, everyMs: 10 });
      t.after(() => housekeeping.close());
      return { housekeeping, reports };
    };
    const doubting = housekeepingOf(wrong, 'wrong', ahead);
    await until(() => rounds.wrong >= 3);
    assert.equal(doubting.housekeeping.isClockDoubtful, true);
    assert.equal(doubting.reports.length, 1);
    assert.match(
      doubting.reports[0] ?? '',
      /^the clock of this machine is in doubt: it shows \d{4}-.*object store/,
    );
    assert.equal(bucket.size, before);
    housekeepingOf(right, 'right', () => new Date());
    await until(() => rounds.right === 1);
    const names = () =>
      right.store
        .catalogue()
        .previews.all()
        .map(({ label }) => label);
    await until(() => names().length === 2);
    assert.deepEqual(names().sort(), ['endless', 'long']);
    assert.deepEqual((await right.store.removed()).map(({ version }) => version.directoryName).sort(), [
      'a~due',
      'b-1.0',
    ]);
  });

  it('is compared with the Date of every response of an S3 store, refusals included', async (t) => {
    const fake = await startFakeS3();
    t.after(fake.close);
    const client = await fake.open();
    t.after(() => client.close());
    assert.equal(client.time(), undefined);
    const storeTime = Date.UTC(2031, 4, 5, 6, 7, 8);
    fake.intercept = (_, response) => {
      response.setHeader('Date', new Date(storeTime).toUTCString());
      return false;
    };
    const isStores = () => {
      const passed = (client.time() ?? 0) - storeTime;
      assert.ok(passed >= 0 && passed < 60_000, String(passed));
    };
    assert.equal(await client.get('nothing'), undefined);
    isStores();
    fake.intercept = (_, response) => {
      response.writeHead(403, { Date: new Date(storeTime + 3_600_000).toUTCString() }).end();
      return true;
    };
    await assert.rejects(client.get('nothing'), { name: 'StoreRefused' });
    assert.ok((client.time() ?? 0) >= storeTime + 3_600_000);
    fake.intercept = (_, response) => {
      response.setHeader('Date', new Date(storeTime).toUTCString());
      return false;
    };
    await client.put('a', Buffer.from('x'));
    isStores();
  });
});
