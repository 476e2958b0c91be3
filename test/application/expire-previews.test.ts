import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore, MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { DeleteVersion, ExpirePreviews, UploadVersion } from '../../src/application/index.js';
import { idOf, publish } from '../contracts/doc-store.js';
import { FakeArchives, fakeArchiveOf } from '../support/fake-archives.js';
import { seeded } from '../support/seeded.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const SITE = { 'index.html': 'x' };

async function* content() {
  yield fakeArchiveOf(SITE);
}

describe('Expiring previews', () => {
  it('removes those whose time has come, and says when the next one goes', async () => {
    const docs = new MemoryDocStore();
    const ends = [10, 20, 30].map((hours) => new Date(hours * HOUR));
    for (const [index, expiresAt] of ends.entries()) await publish(docs, `a~${index}`, SITE, { expiresAt });
    await publish(docs, 'a~kept', SITE);
    await publish(docs, 'a-1.0', SITE);
    const expire = new ExpirePreviews(docs);
    const names = () => Array.from(docs.catalogue().all(), ({ directoryName }) => directoryName).sort();
    assert.deepEqual(await expire.execute(new Date(10 * HOUR - 1)), { removed: [], next: ends[0] });
    assert.equal(names().length, 5);
    const { removed, next } = await expire.execute(new Date(20 * HOUR));
    assert.deepEqual(removed.map(({ label }) => label).sort(), ['0', '1']);
    assert.deepEqual(next, ends[2]);
    assert.deepEqual(names(), ['a-1.0', 'a~2', 'a~kept']);
    assert.equal((await expire.execute(new Date(30 * HOUR))).next, undefined);
    assert.deepEqual(names(), ['a-1.0', 'a~kept']);
  });

  it('passes on a failure of the store, and removes the rest at the next attempt', async () => {
    const docs = new MemoryDocStore();
    for (const name of ['a~1', 'a~2']) await publish(docs, name, SITE, { expiresAt: new Date(0) });
    let failures = 1;
    const expire = new ExpirePreviews({
      catalogue: () => docs.catalogue(),
      remove: async (id, options) => {
        if (failures-- > 0) throw new Error('no disk');
        await docs.remove(id, options);
      },
    });
    await assert.rejects(expire.execute(new Date(1)), /no disk/);
    assert.equal((await expire.execute(new Date(1))).removed.length, 2);
  });
});

describe('A year of pull requests', () => {
  it('leaves those of the last days and all versions, and never more than were pushed to in a month', async () => {
    const docs = new MemoryDocStore();
    const tokens = new MemoryTokenRegistry([{ name: 'ci', secret: 's', projects: ['site'] }]);
    const upload = new UploadVersion(docs, tokens, new FakeArchives(SITE));
    const remove = new DeleteVersion(docs, tokens);
    const expire = new ExpirePreviews(docs);
    const policy = upload.authenticate('s');
    /** The end of each preview that should be there. */
    const expected = new Map<string, number>();
    const start = Date.UTC(2026, 0, 1);
    let most = 0;
    let opened = 0;
    const random = seeded(19);
    for (let hour = 0; hour < 365 * 24; hour += 6) {
      const now = new Date(start + hour * HOUR);
      const push = async (name: string) => {
        const expires = random() < 0.2 ? '12h' : undefined;
        const request = { secret: 's', fileName: `site~${name}-docs.zip`, content: content(), now };
        const { version } = await upload.execute(expires === undefined ? request : { ...request, expires });
        const end = now.getTime() + (expires === undefined ? 30 * DAY : 12 * HOUR);
        assert.equal(version.expiresAt?.getTime(), end);
        expected.set(name, end);
      };
      if (hour % (24 * 14) === 0) {
        await upload.execute({ secret: 's', fileName: `site-1.${hour}-docs.zip`, content: content(), now });
      }
      if (random() < 0.5) await push(`pr-${++opened}`);
      for (const name of [...expected.keys()]) {
        if (random() < 0.02) await push(name);
        else if (random() < 0.01) {
          await remove.removePreview(policy, 'site', name);
          expected.delete(name);
        }
      }
      const { next } = await expire.execute(now);
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
    await expire.execute(all);
    assert.deepEqual(docs.catalogue().previews.of('site'), []);
    assert.equal(docs.catalogue().project('site')?.versions.length, 27);
    await assert.rejects(docs.remove(idOf('site~pr-1')), { code: 'preview_not_found' });
    await docs.close();
  });
});
