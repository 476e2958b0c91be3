import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProjectReads } from '../../src/application/index.js';
import { Catalogue, dayAfter, dayOf, type ProjectUsage } from '../../src/domain/index.js';
import { usageWith } from '../contracts/usage-store.js';
import { makeVersion } from '../domain/make-version.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';

const NOW = new Date('2026-05-31T12:00:00Z');
const HOUR = 3_600_000;

const usageOf = (reads: number): ProjectUsage =>
  new Map([
    [
      '1.0',
      {
        reads: { total: reads, paths: new Map() },
        agents: { total: 60, paths: new Map() },
        misses: { total: 50, paths: new Map() },
      },
    ],
  ]);

describe('ProjectReads', () => {
  const catalogue = Catalogue.empty.changed({ come: [makeVersion('a', '1.0'), makeVersion('b', '1.0')] });
  const docs = { catalogue: () => catalogue };

  it('sums the reads of the last 30 days over all servers', async () => {
    const store = new MemoryUsageStore();
    const day = dayOf(NOW);
    await store.write({ project: 'a', day, writer: 'x' }, usageOf(2));
    await store.write({ project: 'a', day: dayAfter(day, -29), writer: 'y' }, usageOf(3));
    await store.write({ project: 'a', day: dayAfter(day, -30), writer: 'y' }, usageOf(100));
    const reads = new ProjectReads(docs, store);
    await reads.sumUp(NOW);
    assert.deepEqual([reads.of('a'), reads.of('b'), reads.of('unknown')], [5, 0, 0]);
  });

  it('sums reads, agent reads, and requests for missing pages without missing files', async () => {
    const store = new MemoryUsageStore();
    await store.write(
      { project: 'a', day: dayOf(NOW), writer: 'x' },
      usageWith(['index.html'], ['gone', 'gone.html', 'gone.css'], '1.0', ['index.html', 'index.html']),
    );
    const reads = new ProjectReads(docs, store);
    assert.equal(reads.countsOf('a'), undefined);
    await reads.sumUp(NOW);
    assert.deepEqual(reads.countsOf('a'), { reads: 1, agents: 2, missing: 2 });
    assert.deepEqual(reads.countsOf('b'), { reads: 0, agents: 0, missing: 0 });
    assert.equal(reads.countsOf('unknown'), undefined);
  });

  it('awaits the first sums, but no later ones', async () => {
    let time = 0;
    let answer = () => {};
    let isAsked = false;
    const store = {
      async *read() {
        isAsked = true;
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        yield* [];
      },
    };
    const one = { catalogue: () => Catalogue.empty.changed({ come: [makeVersion('a', '1.0')] }) };
    const reads = new ProjectReads(one, store, () => time);
    const ready = reads.ready();
    assert.equal(isAsked, true);
    answer();
    await ready;
    assert.notEqual(reads.countsOf('a'), undefined);
    time = HOUR;
    await reads.ready();
    assert.notEqual(reads.countsOf('a'), undefined);
    answer();
  });

  it('reads the store once an hour, however often sums are requested', async () => {
    let time = 0;
    let asked = 0;
    const store = {
      async *read() {
        asked += 1;
        yield* [];
      },
    };
    const reads = new ProjectReads(docs, store, () => time);
    const ask = async () => {
      reads.of('a');
      reads.of('b');
      await new Promise(setImmediate);
      return asked;
    };
    assert.equal(await ask(), 2);
    assert.equal(await ask(), 2);
    time = HOUR;
    assert.equal(await ask(), 4);
  });

  it('keeps its sums when the store fails', async () => {
    const store = new MemoryUsageStore();
    await store.write({ project: 'a', day: dayOf(NOW), writer: 'x' }, usageOf(2));
    const reads = new ProjectReads(docs, store);
    await reads.sumUp(NOW);
    store.read = () => {
      throw new Error('the disk is gone');
    };
    await assert.rejects(reads.sumUp(NOW), /the disk is gone/);
    assert.equal(reads.of('a'), 2);
    await new Promise(setImmediate);
    assert.equal(reads.of('a'), 2);
  });
});
