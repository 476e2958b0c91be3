import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import {
  ChangedWords,
  changedWords,
  type PageDifference,
  type SitePage,
} from '../../src/application/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

const textOf = ({ bytes }: SitePage) => Buffer.from(bytes).toString();

/** Pages whose words all differ; `clock` goes on by 1,200 ms with each. */
async function counted() {
  const docs = new MemoryDocStore();
  const paths = ['a.html', 'b.html', 'c.html'];
  const site = (text: string) => Object.fromEntries(paths.map((path) => [path, `${path} ${text}`]));
  await publish(docs, 'tool-1.0', site('old'));
  await publish(docs, 'tool-2.0', site('quite new'));
  const [before, after] = seenIn(docs).project('tool')?.versions ?? [];
  assert.ok(before && after);
  const compared: string[] = [];
  let time = 0;
  const comparison = {
    async difference(old: SitePage, now: SitePage): Promise<PageDifference> {
      compared.push(now.path);
      time += 1_200;
      const parts = [
        { kind: 'removed' as const, text: textOf(old) },
        { kind: 'added' as const, text: textOf(now) },
      ];
      return { title: '', blocks: [{ isHeading: false, parts }], isCut: now.path === 'c.html' };
    },
  };
  const words = new ChangedWords(docs, comparison, () => time);
  const of = (names: readonly string[]) =>
    words.of(
      { before, after },
      names.map((path) => ({ before: path, after: path })),
    );
  return { of, compared };
}

const COUNTS = { added: 3, removed: 2 };

describe('Counting changed words', () => {
  it('counts words, whatever is between them, and those of changed parts only', () => {
    const parts = [
      { kind: 'same' as const, text: 'Run the ' },
      { kind: 'removed' as const, text: 'old' },
      { kind: 'added' as const, text: 'very\n  new' },
      { kind: 'added' as const, text: ' ' },
    ];
    assert.deepEqual(changedWords([{ isHeading: false, parts }]), { added: 2, removed: 1 });
  });

  it('begins no page after two seconds, and goes on with the rest the next time', async () => {
    const { of, compared } = await counted();
    assert.deepEqual([...(await of(['a.html', 'b.html', 'a.html']))].length, 2);
    assert.deepEqual(compared, ['a.html', 'b.html']);
    assert.deepEqual(
      [...(await of(['a.html', 'b.html', 'c.html']))],
      [
        ['a.html', COUNTS],
        ['b.html', COUNTS],
      ],
    );
    assert.deepEqual(compared, ['a.html', 'b.html', 'c.html'], 'known counts are not made again');
  });

  it('gives no counts for pages that are too long to compare, or missing', async () => {
    const { of, compared } = await counted();
    assert.deepEqual([...(await of(['c.html', 'none.html']))], []);
    assert.deepEqual([...(await of(['c.html', 'none.html']))], []);
    assert.deepEqual(compared, ['c.html'], 'it is compared once');
  });
});
