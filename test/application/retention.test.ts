import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { ApplyRetention, Changes, type DocStore } from '../../src/application/index.js';
import { type RetentionRules, withAlias, withRetention } from '../../src/domain/index.js';
import { idOf, publish, readPage, removedOf } from '../contracts/doc-store.js';
import { noArchives } from '../support/no-archives.js';

const DAY = 24 * 60 * 60_000;
const START = Date.UTC(2026, 0, 1);
const SITE = { 'index.html': 'x' };
const NOW = new Date(START);

async function apply(use: ApplyRetention, now = NOW, signal?: AbortSignal): Promise<readonly string[]> {
  const removed: string[] = [];
  for await (const { version, rule } of use.execute(now, signal)) {
    removed.push(`${version.directoryName} ${rule}`);
  }
  return removed;
}

async function publishAll(docs: DocStore, names: readonly string[], publishedAt = NOW): Promise<void> {
  for (const name of names) await publish(docs, name, SITE, { publishedAt });
}

const namesIn = (docs: DocStore) =>
  Array.from(docs.catalogue().all(), ({ directoryName }) => directoryName).sort();

const retain = (docs: DocStore, project: string, rules: RetentionRules | undefined) =>
  docs.changeSettings(project, (catalogue) => withRetention(catalogue.settingsOf(project), rules));

/** Opens several stores on one directory, which they leave at the end. */
async function storesOn(t: TestContext, count: number) {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-retention-'));
  const options = { archives: { ...noArchives, pack: noArchives.unpack }, readDocinfo: () => ({}) };
  const open = () => FilesystemDocStore.open(directory, { ...options, pollMs: 20 });
  const stores: FilesystemDocStore[] = [];
  for (let each = 0; each < count; each++) stores.push(await open());
  t.after(async () => {
    for (const store of stores) await store.close();
    await rm(directory, { recursive: true });
  });
  const [one = await open(), other = one] = stores;
  return { directory, one, other, open };
}

describe('Applying retention rules', () => {
  it("removes versions by the server's rules where a project has no rules of its own", async () => {
    const docs = new MemoryDocStore();
    for (const project of ['a', 'b', 'c']) {
      await publishAll(docs, [`${project}-1.0.0`, `${project}-1.0.1`, `${project}-1.0.2`]);
    }
    await publish(docs, 'a~pr-1', SITE, { publishedAt: new Date(0) });
    await retain(docs, 'b', { keepPerMinor: 2 });
    await retain(docs, 'c', {});
    assert.deepEqual(await apply(new ApplyRetention(docs, new Changes(docs))), ['b-1.0.0 keep_per_minor']);
    const use = new ApplyRetention(docs, new Changes(docs), { keepPerMinor: 1 });
    assert.deepEqual(await apply(use), ['a-1.0.0 keep_per_minor', 'a-1.0.1 keep_per_minor']);
    const left = ['a-1.0.2', 'a~pr-1', 'b-1.0.1', 'b-1.0.2', 'c-1.0.0', 'c-1.0.1', 'c-1.0.2'];
    assert.deepEqual(namesIn(docs), left);
    assert.deepEqual(await apply(use), []);
  });

  it('removes a version once its days are over', async () => {
    const docs = new MemoryDocStore();
    await publishAll(docs, ['a-1.0', 'a-1.1']);
    const use = new ApplyRetention(docs, new Changes(docs), { maxAgeDays: 30 });
    assert.deepEqual(await apply(use, new Date(START + 30 * DAY - 1)), []);
    assert.deepEqual(await apply(use, new Date(START + 30 * DAY)), ['a-1.0 max_age_days']);
  });

  it('previews the removals of other rules without changing anything', async () => {
    const docs = new MemoryDocStore();
    await publishAll(docs, ['a-1.0.0', 'a-1.0.1']);
    const use = new ApplyRetention(docs, new Changes(docs));
    const labels = (rules: RetentionRules) =>
      use.wouldRemove('a', rules, NOW).map(({ version }) => version.label);
    assert.deepEqual(labels({ keepPerMinor: 1 }), ['1.0.0']);
    assert.deepEqual(labels({}), []);
    assert.deepEqual(use.wouldRemove('nothing', { keepPerMinor: 1 }, NOW), []);
    assert.equal(namesIn(docs).length, 2);
  });

  it('keeps a restored version until it is published again', async () => {
    const docs = new MemoryDocStore(undefined, 3_600_000);
    await publishAll(docs, ['a-1.0.0', 'a-1.0.1', 'a-1.0.2']);
    const use = new ApplyRetention(docs, new Changes(docs), { keepPerMinor: 1 });
    assert.equal((await apply(use)).length, 2);
    await docs.restore(await removedOf(docs, 'a-1.0.0'), { replace: false });
    assert.deepEqual(await apply(use), []);
    await publish(docs, 'a-1.0.0', SITE, { replace: true });
    assert.deepEqual(await apply(use), ['a-1.0.0 keep_per_minor']);
  });

  /** A store in which something happens right before each removal. */
  const interfering = (docs: DocStore, happen: (name: string) => Promise<unknown>) => ({
    remove: async (...[change, id, options]: Parameters<Changes['remove']>) => {
      await happen(id.directoryName);
      await new Changes(docs).remove(change, id, options);
    },
  });

  for (const [what, happen, left] of [
    [
      'gets an alias',
      (docs: DocStore) =>
        docs.changeSettings('a', (catalogue) => withAlias(catalogue.settingsOf('a'), 'lts', '1.0.0')),
      ['a-1.0.0', 'a-1.0.1'],
    ],
    [
      'is pinned',
      (docs: DocStore) =>
        docs.changeSettings('a', (catalogue) => withAlias(catalogue.settingsOf('a'), 'latest', '1.0.0')),
      ['a-1.0.0', 'a-1.0.1'],
    ],
    [
      'is replaced',
      (docs: DocStore) => publish(docs, 'a-1.0.0', SITE, { replace: true }),
      ['a-1.0.0', 'a-1.0.1'],
    ],
    ['is covered by other rules', (docs: DocStore) => retain(docs, 'a', {}), ['a-1.0.0', 'a-1.0.1']],
    ['is the last one left', (docs: DocStore) => docs.remove(idOf('a-1.0.1')), ['a-1.0.0']],
    ['is deleted', (docs: DocStore) => docs.remove(idOf('a-1.0.0')), ['a-1.0.1']],
  ] as const) {
    it(`keeps a version that ${what} right before its removal`, async () => {
      const docs = new MemoryDocStore();
      await publishAll(docs, ['a-1.0.0', 'a-1.0.1']);
      const use = new ApplyRetention(
        docs,
        interfering(docs, () => happen(docs)),
        { keepPerMinor: 1 },
      );
      assert.deepEqual(await apply(use), []);
      assert.deepEqual(namesIn(docs), left);
    });
  }

  it('removes nothing of a project with unreadable settings, and reports it after all other projects', async (t) => {
    const { directory, one } = await storesOn(t, 1);
    await publishAll(one, ['a-1.0.0', 'a-1.0.1', 'b-1.0.0', 'b-1.0.1']);
    await writeFile(join(directory, '.lectern/projects/a.json'), '{"aliases": {');
    const use = new ApplyRetention(one, new Changes(one), { keepPerMinor: 1 });
    await assert.rejects(apply(use), { code: 'unavailable', message: /settings of project 'a'/ });
    assert.deepEqual(namesIn(one), ['a-1.0.0', 'a-1.0.1', 'b-1.0.1']);
  });

  it('rethrows a failure of the store at once', async () => {
    const docs = new MemoryDocStore();
    await publishAll(docs, ['a-1.0.0', 'a-1.0.1', 'b-1.0.0', 'b-1.0.1']);
    let tries = 0;
    const use = new ApplyRetention(
      docs,
      interfering(docs, async () => {
        tries += 1;
        throw new Error('no disk');
      }),
      { keepPerMinor: 1 },
    );
    await assert.rejects(apply(use), /no disk/);
    assert.equal(tries, 1);
    assert.equal(namesIn(docs).length, 4);
  });

  it('stops between two removals when aborted', async () => {
    const docs = new MemoryDocStore();
    await publishAll(docs, ['a-1.0.0', 'a-1.0.1', 'a-1.0.2']);
    const ending = new AbortController();
    const use = new ApplyRetention(
      docs,
      interfering(docs, async () => ending.abort()),
      { keepPerMinor: 1 },
    );
    assert.deepEqual(await apply(use, NOW, ending.signal), ['a-1.0.0 keep_per_minor']);
    assert.deepEqual(namesIn(docs), ['a-1.0.1', 'a-1.0.2']);
  });

  it('keeps the newer publication when a replacement comes at the same time in another process', async (t) => {
    const { one, other, open } = await storesOn(t, 2);
    const rules = { maxAgeDays: 1 };
    const uses = [
      new ApplyRetention(one, new Changes(one), rules),
      new ApplyRetention(other, new Changes(other), rules),
    ];
    let removed = 0;
    const latest = { publishedAt: new Date(START + DAY) };
    await publish(one, 'a-2.0', SITE, latest);
    for (let round = 0; round < 40; round++) {
      await publish(one, 'a-1.0', { 'index.html': 'old' }, { replace: true, publishedAt: NOW });
      const by = round % 2 === 0 ? one : other;
      const replacing = publish(by, 'a-1.0', { 'index.html': `new ${round}` }, { replace: true, ...latest });
      const applying = uses.map(async (use) => {
        for (let times = 0; times < round % 5; times++) await new Promise(setImmediate);
        removed += (await apply(use, new Date(START + DAY))).length;
      });
      await Promise.all([replacing, ...applying]);
      const third = await open();
      assert.equal(await readPage(third, 'a-1.0', 'index.html'), `new ${round}`);
      await third.close();
    }
    assert.ok(removed > 0, 'retention never came first');
  });

  it('removes a version or lets another process set its alias first, when both come at the same time', async (t) => {
    const { one, other, open } = await storesOn(t, 2);
    const use = new ApplyRetention(one, new Changes(one), { maxAgeDays: 1 });
    await publish(one, 'a-9.0', SITE, { publishedAt: new Date(START + DAY) });
    for (let round = 0; round < 20; round++) {
      const name = `a-1.${round}`;
      await publish(one, name, SITE, { publishedAt: NOW });
      const naming = other
        .changeSettings('a', (catalogue) => {
          if (catalogue.version(name) === undefined) throw new Error('gone');
          return withAlias(catalogue.settingsOf('a'), 'lts', `1.${round}`);
        })
        .then(
          () => true,
          () => false,
        );
      for (let times = 0; times < round % 4; times++) await new Promise(setImmediate);
      const [hasAlias, removed] = await Promise.all([naming, apply(use, new Date(START + DAY))]);
      const third = await open();
      assert.equal(third.catalogue().version(name) !== undefined, hasAlias, name);
      assert.equal(removed.includes(`${name} max_age_days`), !hasAlias);
      await third.close();
    }
  });
});
