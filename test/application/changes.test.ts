import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import {
  ApplyRetention,
  type AuditEntry,
  Changes,
  copyVersions,
  type DocStore,
  ExpirePreviews,
} from '../../src/application/index.js';
import { NO_SETTINGS, refuse, tokenActor, withHidden } from '../../src/domain/index.js';
import { idOf, publish } from '../contracts/doc-store.js';
import { FakeArchives } from '../support/fake-archives.js';
import { watchChanges } from '../support/watched-changes.js';

const SITE = { 'index.html': 'x' };
const DAY = 24 * 60 * 60_000;
const change = { actor: tokenActor('ci'), now: new Date(), reason: 'upload' } as const;

describe('An automatic change by a server or a command, made through Changes,', () => {
  /** Runs what changes a store, and returns what it changed. */
  async function changesOf(t: TestContext, work: () => AsyncIterable<unknown>) {
    const { seen, made } = watchChanges(t);
    for await (const _ of work());
    assert.deepEqual(
      made,
      seen.map(({ method }) => method),
    );
    return seen;
  }

  it('removes a version by a retention rule, with the rule as the reason', async (t) => {
    const docs = new MemoryDocStore();
    const publishedAt = new Date(0);
    for (const name of ['a-1.0.0', 'a-1.0.1', 'a-1.1.0']) await publish(docs, name, SITE, { publishedAt });
    const use = new ApplyRetention(docs, new Changes(docs), { keepPerMinor: 1, maxAgeDays: 9 });
    const actor = 'server retention';
    const begin = new Date();
    const [{ now, ...first } = assert.fail(), ...others] = await changesOf(t, () =>
      use.executeWithoutClock(),
    );
    assert.deepEqual([first, others], [{ method: 'remove', actor, reason: 'keep_per_minor' }, []]);
    assert.ok(now >= begin, 'the time of the change is that of the clock');
    t.mock.restoreAll();
    const later = new Date(9 * DAY);
    assert.deepEqual(await changesOf(t, () => use.execute(later)), [
      { method: 'remove', actor, reason: 'max_age_days', now: later },
    ]);
  });

  it('removes an expired preview', async (t) => {
    const docs = new MemoryDocStore();
    await publish(docs, 'a~pr-1', SITE, { expiresAt: new Date(DAY) });
    const now = new Date(DAY);
    const use = new ExpirePreviews(docs, new Changes(docs));
    assert.deepEqual(await changesOf(t, () => use.execute(now)), [
      { method: 'remove', actor: 'server expiry of previews', reason: 'expired', now },
    ]);
  });

  it('copies settings and versions', async (t) => {
    const source = new MemoryDocStore();
    await publish(source, 'a-1.0', SITE);
    await source.changeSettings('a', () => withHidden(NO_SETTINGS, '1.0', true));
    const docs = new MemoryDocStore();
    const target = { docs, changes: new Changes(docs) };
    const archives = new FakeArchives(SITE);
    const seen = await changesOf(t, () => copyVersions(source, target, { archives }));
    assert.deepEqual(
      seen.map(({ now, ...rest }) => rest),
      ['changeSettings', 'publish'].map((method) => ({
        method,
        actor: 'server lectern copy',
        reason: 'copy',
      })),
    );
  });
});

describe('Changes', () => {
  const failing = (error: Error) => {
    const fail = async () => {
      throw error;
    };
    return new Changes({
      ...{ stage: fail, publish: fail, remove: fail, restore: fail },
      ...{ changeSettings: fail, changeMadeTokens: fail, subscribe: () => () => {} },
    });
  };

  it("adds the actor's name to a refusal of the store", async () => {
    const docs = new MemoryDocStore();
    await publish(docs, 'a-1.0', SITE);
    await assert.rejects(failing(refuse.versionExists('a', '1.0', '')).remove(change, idOf('a-1.0')), {
      code: 'version_exists',
      message: /^a 1\.0 already exists, and token 'ci' may not overwrite it/,
      facts: { project: 'a', version: '1.0', token: 'ci' },
    });
  });

  for (const error of [
    refuse.versionIsBack('a', '1.0'),
    refuse.versionNotFound('a', '1.0'),
    new Error('no disk'),
  ]) {
    it(`passes on any other failure unchanged: ${error.message}`, async () => {
      await assert.rejects(failing(error).remove(change, idOf('a-1.0')), (thrown) => thrown === error);
    });
  }

  it('records what a removal took away although another version changes meanwhile', async (t) => {
    const docs = new MemoryDocStore();
    const { version } = await publish(docs, 'a-1.0', SITE);
    const remove = docs.remove.bind(docs);
    t.mock.method(docs, 'remove', async (...call: Parameters<typeof remove>) => {
      await remove(...call);
      await publish(docs, 'b-1.0', SITE);
    });
    const before: unknown[] = [];
    const audit = {
      isOn: true,
      assertWritable: async () => {},
      made: async (entry: Pick<AuditEntry, 'before'>) => void before.push(entry.before?.revision),
    };
    await new Changes(docs, audit).remove({ ...change, reason: 'delete' }, idOf('a-1.0'));
    assert.deepEqual(before, [version.revision]);
  });

  it('changes nothing when the store refuses', async () => {
    const docs: DocStore = new MemoryDocStore();
    await publish(docs, 'a-1.0', SITE);
    const before = docs.catalogue();
    await assert.rejects(new Changes(docs).remove(change, idOf('a-2.0')), { code: 'version_not_found' });
    assert.equal(docs.catalogue(), before);
  });
});
