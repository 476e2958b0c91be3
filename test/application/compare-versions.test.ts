import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { CompareVersions, type PageComparison, type SitePage } from '../../src/application/index.js';
import { FindPage } from '../../src/application/pages/find-page.js';
import { refuse } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

/** Takes the text before `|` for what a page says, and notes which pages were read. */
class FakeComparison implements PageComparison {
  readonly read: string[] = [];
  /** While set, hashing waits for it. */
  gate: Promise<void> | undefined;

  async digests(pages: readonly SitePage[]) {
    await this.gate;
    this.read.push(...pages.map(({ path }) => path));
    return pages.map(({ path, bytes }) => ({
      hash: Buffer.from(bytes).toString().split('|', 1)[0] ?? '',
      title: `Title of ${path}`,
    }));
  }

  async difference(before: SitePage, after: SitePage) {
    const text = `${Buffer.from(before.bytes)} / ${Buffer.from(after.bytes)}`;
    const parts = [{ kind: 'same' as const, text }];
    return { title: '', blocks: [{ isHeading: false, parts }], isCut: false };
  }

  async close() {}
}

const OLD = { 'index.html': 'home', 'a.html': 'a|1.0', 'b.html': 'b|1.0', 'c.html': 'c', 'x.css': '1' };
const NEW = { 'index.html': 'home', 'a.html': 'a|2.0', 'b.html': 'B|2.0', 'd/c.html': 'c', 'x.css': '2' };

async function sites() {
  const docs = new MemoryDocStore();
  await publish(docs, 'tool-1.0', OLD);
  await publish(docs, 'tool-2.0', NEW);
  return docs;
}

const LABELS = { project: 'tool', before: '1.0', after: '2.0' };

describe('Comparing two versions', () => {
  it('names the pages that were added, removed and changed, and where a removed one seems to be', async () => {
    const docs = await sites();
    const compare = new CompareVersions(docs, new FakeComparison());
    const { added, removed, changed, unchanged, moved, isCut } = await compare.execute(seenIn(docs), LABELS);
    assert.deepEqual(added, ['d/c.html']);
    assert.deepEqual(removed, ['c.html']);
    assert.deepEqual(changed, [{ before: 'b.html', after: 'b.html' }]);
    assert.equal(unchanged, 2);
    assert.deepEqual([...moved], [['c.html', 'd/c.html']]);
    assert.equal(isCut, false);
  });

  it('knows the titles of changed, added and removed pages', async () => {
    const docs = await sites();
    const compare = new CompareVersions(docs, new FakeComparison());
    const comparison = await compare.execute(seenIn(docs), LABELS);
    const { titles, removed } = await compare.part(comparison, 0, 10);
    assert.deepEqual(
      [...titles],
      [
        ['b.html', 'Title of b.html'],
        ['d/c.html', 'Title of d/c.html'],
      ],
    );
    assert.deepEqual(
      removed.map(({ path, title }) => [path, title]),
      [['c.html', 'Title of c.html']],
    );
  });

  it('skips pages with equal checksums, and reads each other page once', async () => {
    const docs = await sites();
    const comparison = new FakeComparison();
    for (let round = 0; round < 2; round++) {
      // A new one has nothing in memory: the store has kept the hashes.
      await new CompareVersions(docs, comparison).execute(seenIn(docs), LABELS);
    }
    const compare = new CompareVersions(docs, comparison);
    await compare.execute(seenIn(docs), LABELS);
    await compare.execute(seenIn(docs), { ...LABELS, before: '2.0', after: '1.0' });
    assert.deepEqual(comparison.read.toSorted(), [
      'a.html',
      'a.html',
      'b.html',
      'b.html',
      'c.html',
      'd/c.html',
    ]);
  });

  it('reads at most 8 MB of pages concurrently', async () => {
    const docs = new MemoryDocStore();
    const large = (text: string) =>
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.html`, `${name}${text}`]));
    await publish(docs, 'tool-1.0', large('x'.repeat(3_000_000)));
    await publish(docs, 'tool-2.0', large(''));
    const batches: number[] = [];
    const comparison = new (class extends FakeComparison {
      override async digests(pages: readonly SitePage[]) {
        batches.push(pages.length);
        return super.digests(pages);
      }
    })();
    await new CompareVersions(docs, comparison).execute(seenIn(docs), LABELS);
    assert.deepEqual(batches.toSorted(), [1, 3, 4]);
  });

  it('runs a comparison once for all concurrent callers, and others while one client has many waiting', async () => {
    const docs = await sites();
    for (let label = 3; label < 8; label++)
      await publish(docs, `tool-${label}.0`, { ...NEW, 'e.html': `${label}` });
    const comparison = new FakeComparison();
    let open = () => {};
    comparison.gate = new Promise((resolve) => {
      open = resolve;
    });
    const compare = new CompareVersions(docs, comparison);
    const execute = (label: number, address: string, signal?: AbortSignal) =>
      compare.execute(seenIn(docs), { ...LABELS, after: `${label}.0` }, { address, signal });
    const leaving = new AbortController();
    const running = [2, 3, 4, 5].map((label) => execute(label, 'a'));
    const left = execute(6, 'a', leaving.signal);
    const same = execute(2, 'b');
    const other = execute(7, 'b');
    leaving.abort(new Error('has left'));
    await assert.rejects(left, /has left/);
    open();
    assert.equal(await same, await running[0]);
    assert.deepEqual(
      (await Promise.all([...running, other])).map(({ after }) => after.label),
      ['2.0', '3.0', '4.0', '5.0', '7.0'],
    );
    assert.equal((await execute(6, 'a')).after.label, '6.0');
  });

  it('refuses missing projects and versions', async () => {
    const docs = await sites();
    const compare = new CompareVersions(docs, new FakeComparison());
    await assert.rejects(compare.execute(seenIn(docs), { ...LABELS, project: 'no' }), {
      code: 'project_not_found',
    });
    await assert.rejects(compare.execute(seenIn(docs), { ...LABELS, before: '9' }), {
      code: 'version_not_found',
    });
    assert.equal((await compare.execute(seenIn(docs), { ...LABELS, after: 'latest' })).after.label, '2.0');
  });

  it('shows a page in both versions, also under a redirected name', async () => {
    const docs = await sites();
    await publish(docs, 'tool-3.0', { 'b.html': 'third', _redirects: '/c.html /b.html' });
    const compare = new CompareVersions(docs, new FakeComparison());
    const same = await compare.page(seenIn(docs), LABELS, 'b/');
    assert.equal(same?.blocks[0]?.parts[0]?.text, 'b|1.0 / B|2.0');
    const moved = await compare.page(seenIn(docs), { ...LABELS, after: '3.0' }, 'c.html');
    assert.deepEqual(moved?.paths, { before: 'c.html', after: 'b.html' });
    for (const page of ['d/c.html', 'no.html', '.hidden', '%zz']) {
      assert.equal(await compare.page(seenIn(docs), LABELS, page), undefined, page);
    }
    assert.deepEqual((await compare.page(seenIn(docs), LABELS, ''))?.paths, {
      before: 'index.html',
      after: 'index.html',
    });
  });

  it('says to which page the later version redirects a removed one', async () => {
    const docs = await sites();
    await publish(docs, 'tool-3.0', { 'b.html': 'b', _redirects: '/c.html /b.html' });
    const compare = new CompareVersions(docs, new FakeComparison());
    const comparison = await compare.execute(seenIn(docs), { ...LABELS, after: '3.0' });
    const { removed } = await compare.part(comparison, 0, 10);
    assert.deepEqual(removed, [
      { path: 'a.html', title: 'Title of a.html' },
      { path: 'c.html', title: 'Title of c.html', redirectedTo: 'b.html' },
      { path: 'index.html', title: 'Title of index.html' },
    ]);
  });

  it('counts the changed words of pages of uploads, not of a copied-in directory', async () => {
    const docs = await sites();
    const compare = new CompareVersions(docs, new FakeComparison());
    const comparison = await compare.execute(seenIn(docs), LABELS);
    assert.deepEqual(
      [...(await compare.changedWords(comparison, comparison.changed))],
      [['b.html', { added: 0, removed: 0 }]],
    );
    const copied = { ...comparison, after: { ...comparison.after, origin: 'copied' as const } };
    assert.deepEqual([...(await compare.changedWords(copied, comparison.changed))], []);
  });

  it('counts no changed words while too many pages wait to be compared, and passes other failures on', async () => {
    const docs = await sites();
    for (const [failure, outcome] of [
      [refuse.comparisonBusy(), []],
      [new Error('no disk'), 'no disk'],
    ] as const) {
      const failing = new FakeComparison();
      const compare = new CompareVersions(docs, failing);
      const comparison = await compare.execute(seenIn(docs), LABELS);
      failing.difference = () => Promise.reject(failure);
      const counts = compare.changedWords(comparison, comparison.changed);
      assert.deepEqual(await counts.then((all) => [...all]).catch(({ message }) => message), outcome);
    }
  });

  it('resolves the redirects of one page list at a time, and refuses a list when 32 are waiting', async () => {
    const docs = await sites();
    await publish(docs, 'tool-3.0', { 'b.html': 'b', _redirects: '/c.html /b.html' });
    let gate: Promise<void> | undefined;
    const slow = {
      listFiles: docs.listFiles.bind(docs),
      open: async (...asked: Parameters<typeof docs.open>) => {
        await gate;
        return docs.open(...asked);
      },
    };
    const compare = new CompareVersions(docs, new FakeComparison(), new FindPage(slow));
    const comparison = await compare.execute(seenIn(docs), { ...LABELS, after: '3.0' });
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const running = Array.from({ length: 33 }, () => compare.part(comparison, 0, 10));
    await assert.rejects(compare.part(comparison, 0, 10), { code: 'unavailable' });
    assert.deepEqual((await compare.part(comparison, 3, 10)).removed, []);
    open();
    for (const { removed } of await Promise.all(running)) assert.equal(removed[1]?.redirectedTo, 'b.html');
    assert.equal((await compare.part(comparison, 0, 10)).removed.length, 3);
  });
});
