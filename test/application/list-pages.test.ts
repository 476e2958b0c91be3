import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ThreadedPageMarkdown } from '../../src/adapters/markdown/threaded-page-markdown.js';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import type { Sites } from '../../src/application/index.js';
import { DrawnPages } from '../../src/application/pages/drawn-pages.js';
import { ListPages } from '../../src/application/pages/list-pages.js';
import type { Version } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

/** A version with two pages, and the number of times that its files were listed. */
async function listed() {
  const docs = new MemoryDocStore();
  await publish(docs, 'tool-1.0', { 'index.html': '<a href="b.html">b</a>', 'a/c.html': 'c', 'b.html': 'b' });
  const version = seenIn(docs).version('tool-1.0') as Version;
  const counts = { lists: 0 };
  const counted: Pick<Sites, 'open' | 'listFiles'> = {
    open: (...given) => docs.open(...given),
    listFiles: (...given) => {
      counts.lists += 1;
      return docs.listFiles(...given);
    },
  };
  return {
    version,
    counts,
    pages: new ListPages(counted, new DrawnPages(counted, new ThreadedPageMarkdown())),
  };
}

describe('The pages of a version', () => {
  it('are listed in the link order of the front page, then by path', async () => {
    const { version, pages } = await listed();
    assert.deepEqual(await pages.pathsBelow(version, ''), ['b.html', 'a/c.html', 'index.html']);
    assert.deepEqual(await pages.pathsBelow(version, 'a/'), ['a/c.html']);
  });

  it('are listed once for all concurrent and later callers', async () => {
    const { version, counts, pages } = await listed();
    await Promise.all([pages.pathsBelow(version, ''), pages.pathsBelow(version, '')]);
    await pages.pathsBelow(version, '');
    assert.equal(counts.lists, 1);
  });

  it('are listed again for another publication, and each time in a copied-in directory', async () => {
    const { version, counts, pages } = await listed();
    await pages.pathsBelow(version, '');
    await pages.pathsBelow({ ...version, revision: 'other' }, '');
    assert.equal(counts.lists, 2);
    const copied: Version = { ...version, revision: 'copied', origin: 'copied' };
    await pages.pathsBelow(copied, '');
    await pages.pathsBelow(copied, '');
    assert.equal(counts.lists, 4);
  });
});
