import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { FindPage, GoToPage, ShowUsage, SuggestInstead } from '../../src/application/index.js';
import { Catalogue, type ProjectUsage } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';
import { seenIn } from '../support/seen-in.js';

const NONE = { total: 0, paths: new Map<string, number>() };

describe('ShowUsage', () => {
  it('reads each of thousands of versions a few times, however often they are requested, and lists the newest first', async () => {
    const labels = Array.from({ length: 2_000 }, (_, index) => `1.${index}`);
    let looks = 0;
    const versions = labels.map((label) =>
      Object.defineProperty(makeVersion('a', label), 'label', {
        get: () => {
          looks += 1;
          return label;
        },
      }),
    );
    const catalogue = Catalogue.of(versions);
    const reads = {
      total: 2,
      paths: new Map(Array.from({ length: 2 }, (_, at) => [`page-${at}.html`, 1])),
    };
    const usage: ProjectUsage = new Map(
      labels.map((label) => [label, { reads, agents: NONE, misses: NONE }]),
    );
    const store = new MemoryUsageStore();
    for (let date = 1; date <= 30; date += 1) {
      const day = `2026-11-${String(date).padStart(2, '0')}`;
      await store.write({ project: 'a', day, writer: 'w' }, usage);
    }
    const docs = new MemoryDocStore();
    const pages = new FindPage(docs);
    const suggestions = new SuggestInstead(docs, new GoToPage(docs, pages));
    const show = new ShowUsage(store, pages, suggestions);
    looks = 0;
    const { total, reads: pagesRead } = await show.execute(
      seenIn({ catalogue: () => catalogue }),
      'a',
      30,
      new Date('2026-11-30'),
    );
    // Fewer than once for each version on each day.
    assert.ok(looks >= labels.length && looks < 30 * labels.length, `${looks} looks`);
    assert.equal(total.reads, 30 * labels.length * 2);
    assert.deepEqual(pagesRead[0]?.versions, labels.toReversed());
  });
});
