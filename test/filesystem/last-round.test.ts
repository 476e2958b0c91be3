import assert from 'node:assert/strict';
import { readdir, readFile, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { idOf, readPage, removedOf } from '../contracts/doc-store.js';
import { makeDirectory, openStore, removeAll, site, upload } from './crash-world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

describe('The recorded time of housekeeping in a docs directory', () => {
  let docs: string;
  let store: FilesystemDocStore;
  const file = () => join(docs, '.lectern/last-housekeeping');
  beforeEach(async () => {
    docs = await makeDirectory();
    store = await openStore(docs, undefined, undefined, WEEK);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const judge = async (time: number, uptimeMs: number | undefined) =>
    (await store.judgeClock(new Date(time), uptimeMs)).kind;
  const noted = async () => Date.parse((await readFile(file(), 'utf8')).trim());

  it('is written by a server once its clock is trusted, and repeatedly afterwards', async () => {
    const now = Date.now();
    assert.equal(await judge(now, 0), 'unproven');
    assert.equal(await judge(now, undefined), 'believed');
    assert.ok(!(await readdir(join(docs, '.lectern'))).includes('last-housekeeping'));
    assert.equal(await judge(now, HOUR), 'believed');
    assert.equal(await noted(), now);
    assert.equal(await judge(now + 60_000, HOUR), 'believed');
    assert.equal(await noted(), now);
    assert.equal(await judge(now + HOUR, HOUR), 'believed');
    assert.equal(await noted(), now + HOUR);
    assert.equal(await judge(now + 2 * HOUR, undefined), 'believed');
    assert.equal(await noted(), now + HOUR);
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
  });

  it('is not moved by a doubted clock, and the warning names the file to remove', async () => {
    const now = Date.now();
    await judge(now, HOUR);
    for (const off of [-WEEK, 400 * DAY]) {
      const verdict = await store.judgeClock(new Date(now + off), 0);
      assert.ok(verdict.kind === 'doubtful');
      assert.ok(verdict.why.includes(file()), verdict.why);
    }
    assert.equal(await noted(), now);
    await rm(file());
    assert.equal(await judge(now - WEEK, HOUR), 'believed');
    assert.equal(await noted(), now - WEEK);
  });

  it('is ignored when damaged', async () => {
    for (const text of ['', 'soon\n', '\0'.repeat(4_096)]) {
      await writeFile(file(), text);
      assert.equal(await judge(Date.now(), 0), 'unproven');
    }
  });

  it('is not required for a clock behind the publication of a removed version', async () => {
    await upload(store, 'a-1.0', site('one'));
    const record = join(await realpath(join(docs, 'a-1.0')), '../version.json');
    const published = Math.floor(Date.now() / 1_000) * 1_000 + 3 * 365 * DAY;
    await utimes(record, new Date(published), new Date(published));
    await store.remove(idOf('a-1.0'));
    const { removedAt } = await removedOf(store, 'a-1.0');
    assert.equal(removedAt.getTime(), published);
  });

  it('replaces the removal time given by a clock that is behind', async () => {
    const last = Date.now() + 3 * 365 * DAY;
    await writeFile(file(), `${new Date(last).toISOString()}\n`);
    for (const mark of ['one', 'two']) await upload(store, 'a-1.0', site(mark));
    await store.remove(idOf('a-1.0'));
    const removed = await store.removed();
    assert.deepEqual(
      removed.map(({ removedAt }) => removedAt.getTime()),
      [last, last],
    );
    assert.equal(await store.clearUp(new Date(last + WEEK - 1)), 0);
    assert.equal((await store.removed()).length, 2);
    await store.restore(await removedOf(store, 'a-1.0'), { replace: false });
    assert.match(await readPage(store, 'a-1.0', 'index.html'), /one|two/);
    await store.clearUp(new Date(last + WEEK));
    assert.deepEqual(await readdir(join(docs, '.lectern/removed')), []);
  });

  it('protects versions removed by a clock that was ahead, until that time', async () => {
    const ahead = Date.now() + 365 * DAY;
    await writeFile(file(), `${new Date(ahead).toISOString()}\n`);
    await upload(store, 'a-1.0', site('one'));
    await store.remove(idOf('a-1.0'));
    await rm(file());
    await store.clearUp(new Date());
    const removed = await removedOf(store, 'a-1.0');
    await store.restore(removed, { replace: false });
    await store.remove(idOf('a-1.0'), { purge: true });
    assert.deepEqual(await store.removed(), []);
  });
});
