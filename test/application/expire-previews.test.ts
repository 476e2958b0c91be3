import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { Changes, DeleteVersion, ExpirePreviews, UploadVersion } from '../../src/application/index.js';
import { refuse, tokenActor } from '../../src/domain/index.js';
import { idOf, publish } from '../contracts/doc-store.js';
import { FakeArchives, fakeArchiveOf } from '../support/fake-archives.js';
import { seeded } from '../support/seeded.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const SITE = { 'index.html': 'x' };

async function removedBy(expire: ExpirePreviews, now: Date, signal?: AbortSignal) {
  const removed: string[] = [];
  for await (const { label } of expire.execute(now, signal)) removed.push(label);
  return removed;
}

async function* content() {
  yield fakeArchiveOf(SITE);
}

describe('Expiring previews', () => {
  it('removes expired previews, and returns the time of the next expiry', async () => {
    const docs = new MemoryDocStore();
    const ends = [10, 20, 30].map((hours) => new Date(hours * HOUR));
    for (const [index, expiresAt] of ends.entries()) await publish(docs, `a~${index}`, SITE, { expiresAt });
    await publish(docs, 'a~kept', SITE);
    await publish(docs, 'a-1.0', SITE);
    const expire = new ExpirePreviews(docs, new Changes(docs));
    const names = () => Array.from(docs.catalogue().all(), ({ directoryName }) => directoryName).sort();
    assert.deepEqual(await removedBy(expire, new Date(10 * HOUR - 1)), []);
    assert.deepEqual(expire.nextEnd(new Date(10 * HOUR - 1)), ends[0]);
    assert.equal(names().length, 5);
    assert.deepEqual((await removedBy(expire, new Date(20 * HOUR))).sort(), ['0', '1']);
    assert.deepEqual(expire.nextEnd(new Date(20 * HOUR)), ends[2]);
    assert.deepEqual(names(), ['a-1.0', 'a~2', 'a~kept']);
    assert.deepEqual(await removedBy(expire, new Date(30 * HOUR)), ['2']);
    assert.equal(expire.nextEnd(new Date(30 * HOUR)), undefined);
    assert.deepEqual(names(), ['a-1.0', 'a~kept']);
  });

  for (const label of ['1', '2', '3']) {
    it(`removes all other previews when preview ${label} cannot be removed, and reports the reason`, async () => {
      const docs = new MemoryDocStore();
      for (const name of ['a~1', 'a~2', 'b~3']) await publish(docs, name, SITE, { expiresAt: new Date(0) });
      let failures = 1;
      const expire = new ExpirePreviews(docs, {
        remove: async (change, id, options) => {
          if (id.label === label && failures-- > 0) throw new Error('no disk');
          await new Changes(docs).remove(change, id, options);
        },
      });
      await assert.rejects(removedBy(expire, new Date(1)), /no disk/);
      assert.deepEqual(
        docs
          .catalogue()
          .previews.all()
          .map((preview) => preview.label),
        [label],
      );
      assert.deepEqual(await removedBy(expire, new Date(1)), [label]);
    });
  }

  it('ends at once when the store is out of reach', async () => {
    const docs = new MemoryDocStore();
    for (const name of ['a~1', 'a~2']) await publish(docs, name, SITE, { expiresAt: new Date(0) });
    let tries = 0;
    const catalogue = () => {
      if (tries > 0) throw refuse.storageUnavailable();
      return docs.catalogue();
    };
    const remove = async () => {
      tries += 1;
      throw new Error('no disk');
    };
    const expire = new ExpirePreviews({ catalogue }, { remove });
    await assert.rejects(removedBy(expire, new Date(1)), { code: 'unavailable' });
    assert.equal(tries, 1);
    assert.equal(docs.catalogue().previews.all().length, 2);
  });

  it('stops between two removals when aborted', async () => {
    const docs = new MemoryDocStore();
    for (const name of ['a~1', 'a~2']) await publish(docs, name, SITE, { expiresAt: new Date(0) });
    const ending = new AbortController();
    const expire = new ExpirePreviews(docs, {
      remove: async (change, id, options) => {
        ending.abort();
        await new Changes(docs).remove(change, id, options);
      },
    });
    assert.equal((await removedBy(expire, new Date(1), ending.signal)).length, 1);
    assert.equal(docs.catalogue().previews.all().length, 1);
  });
});

describe('A year of pull requests', () => {
  it("keeps the previews of the last days and all versions, and never more previews than one month's pushes", async () => {
    const docs = new MemoryDocStore();
    const actor = tokenActor('ci', { projects: ['site'] });
    const upload = new UploadVersion(docs, new Changes(docs), new FakeArchives(SITE));
    const remove = new DeleteVersion(docs, new Changes(docs));
    const expire = new ExpirePreviews(docs, new Changes(docs));
    /** The end of each preview that should be there. */
    const expected = new Map<string, number>();
    const start = Date.UTC(2026, 0, 1);
    let most = 0;
    let opened = 0;
    const random = seeded(19);
    for (let hour = 0; hour < 365 * 24; hour += 12) {
      const now = new Date(start + hour * HOUR);
      const push = async (name: string) => {
        const expires = random() < 0.2 ? '12h' : undefined;
        const request = { actor, fileName: `site~${name}-docs.zip`, content: content(), publishedAt: now };
        const { version } = await upload.execute(expires === undefined ? request : { ...request, expires });
        const end = now.getTime() + (expires === undefined ? 30 * DAY : 12 * HOUR);
        assert.equal(version.record.expiresAt?.getTime(), end);
        expected.set(name, end);
      };
      if (hour % (24 * 14) === 0) {
        await upload.execute({
          actor,
          fileName: `site-1.${hour}-docs.zip`,
          content: content(),
          publishedAt: now,
        });
      }
      if (random() < 0.9) await push(`pr-${++opened}`);
      for (const name of [...expected.keys()]) {
        if (random() < 0.02) await push(name);
        else if (random() < 0.01) {
          await remove.removePreview(actor, 'site', name);
          expected.delete(name);
        }
      }
      await removedBy(expire, now);
      const next = expire.nextEnd(now);
      for (const [name, end] of expected) if (end <= now.getTime()) expected.delete(name);
      const left = docs.catalogue().previews.of('site');
      assert.deepEqual(left.map(({ label }) => label).sort(), [...expected.keys()].sort());
      assert.equal(next?.getTime(), expected.size === 0 ? undefined : Math.min(...expected.values()));
      most = Math.max(most, left.length);
    }
    assert.ok(opened > 600, String(opened));
    assert.ok(most < 100, String(most));
    assert.equal(docs.catalogue().project('site')?.versions.length, 27);
    assert.equal(docs.catalogue().version('site~pr-1'), undefined);
    const all = new Date(start + 500 * DAY);
    await removedBy(expire, all);
    assert.deepEqual(docs.catalogue().previews.of('site'), []);
    assert.equal(docs.catalogue().project('site')?.versions.length, 27);
    await assert.rejects(docs.remove(idOf('site~pr-1')), { code: 'preview_not_found' });
    await docs.close();
  });
});
