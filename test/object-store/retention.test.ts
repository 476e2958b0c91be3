import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApplyRetention, Changes } from '../../src/application/index.js';
import { withAlias } from '../../src/domain/index.js';
import { publish, readPage } from '../contracts/doc-store.js';
import type { MemoryBucket } from '../support/memory-object-client.js';
import { openNode } from './support.js';

const DAY = 24 * 60 * 60_000;
const RULES = { maxAgeDays: 1 };
const OLD = { publishedAt: new Date(0) };
const NOW = new Date(2 * DAY);
/** Published too late for the rule. */
const YOUNG = { publishedAt: NOW };

async function apply(use: ApplyRetention): Promise<readonly string[]> {
  const removed: string[] = [];
  for await (const { version } of use.execute(NOW)) removed.push(version.label);
  return removed;
}

describe('Rules of retention on two nodes of an object store', () => {
  it('remove each version once, and keep versions just replaced or given an alias by the other node', async (t) => {
    const bucket: MemoryBucket = new Map();
    const [one, other] = [
      (await openNode(t, bucket, { pollMs: 60_000 })).store,
      (await openNode(t, bucket, { pollMs: 60_000 })).store,
    ];
    for (const label of ['1.0', '1.1', '1.2', '1.3'])
      await publish(one, `a-${label}`, { 'index.html': 'old' }, OLD);
    await publish(one, 'a-9.0', { 'index.html': 'latest' }, YOUNG);
    // The first node does not look at what the other one does.
    await publish(other, 'a-1.0', { 'index.html': 'new' }, { replace: true, ...YOUNG });
    await other.changeSettings('a', (catalogue) => withAlias(catalogue.settingsOf('a'), 'lts', '1.1'));
    const removed = await Promise.all(
      [one, other].map((store) => apply(new ApplyRetention(store, new Changes(store), RULES))),
    );
    assert.deepEqual(removed.flat().sort(), ['1.2', '1.3']);
    const { store: third } = await openNode(t, bucket);
    assert.deepEqual(
      third
        .catalogue()
        .project('a')
        ?.versions.map(({ label }) => label),
      ['1.0', '1.1', '9.0'],
    );
    assert.equal(await readPage(third, 'a-1.0', 'index.html'), 'new');
  });

  it('keep the newer publication when a replacement or an alias comes at the same time', async (t) => {
    const bucket: MemoryBucket = new Map();
    const nodes = [(await openNode(t, bucket)).store, (await openNode(t, bucket)).store] as const;
    const [one, other] = nodes;
    await publish(one, 'a-9.0', { 'index.html': 'latest' }, YOUNG);
    let removed = 0;
    for (let round = 0; round < 40; round++) {
      await publish(one, 'a-1.0', { 'index.html': 'old' }, { replace: true, ...OLD });
      const by = nodes[round % 2] ?? other;
      const replacing = publish(by, 'a-1.0', { 'index.html': `new ${round}` }, { replace: true, ...YOUNG });
      const applying = nodes.map(async (store) => {
        for (let times = 0; times < (round % 7) * 4; times++) await new Promise(setImmediate);
        removed += (await apply(new ApplyRetention(store, new Changes(store), RULES))).length;
      });
      await Promise.all([replacing, ...applying]);
      const { store: third } = await openNode(t, bucket);
      assert.equal(await readPage(third, 'a-1.0', 'index.html'), `new ${round}`);
    }
    assert.ok(removed > 0, 'retention never came first');
  });
});
