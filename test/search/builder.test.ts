import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { Builder } from '../../src/adapters/search/apart/builder.js';
import { Searcher } from '../../src/adapters/search/finding/searcher.js';
import type { SearchableSite } from '../../src/application/index.js';
import { siteOf } from '../support/searchable-site.js';
import { until } from '../support/until.js';

const skip = process.platform !== 'linux' && 'children can be listed on Linux only';
const home = mkdtempSync(join(tmpdir(), 'lectern-builder-'));
after(() => rmSync(home, { recursive: true }));

const children = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean);

/** A site of one page with a word, and what happens when it is read. */
function site(word: string, onRead = () => {}): SearchableSite {
  const { sample, pages } = siteOf({ 'index.html': `<title>${word}</title><p>${word}` });
  return {
    sample,
    async *pages() {
      onRead();
      yield* pages();
    },
  };
}

describe('The process that writes databases', { skip }, () => {
  let builder: Builder;
  let before: readonly string[];
  beforeEach(() => {
    before = children();
    builder = new Builder();
  });
  afterEach(() => builder.close());
  const own = () => children().filter((pid) => !before.includes(pid));
  let made = 0;
  const build = (word: string, onRead?: () => void, signal?: AbortSignal, file = `${++made}`) =>
    builder.build(join(home, file), site(word, onRead), signal);
  const found = async (file: string, query: string) => {
    const searcher = new Searcher();
    const live = [{ revision: 'r', project: 'p', file: join(home, file) }];
    const { results } = await searcher.search(query, live, { limit: 5 });
    searcher.close();
    return results.map(({ title }) => title);
  };

  it('writes several small sites in sequence, each complete and separate, and ends when idle', async () => {
    const processes = new Set<string>();
    const words = ['apple', 'pear', 'plum'];
    const note = () => {
      for (const pid of own()) processes.add(pid);
    };
    const built = await Promise.all(words.map((word) => build(word, note, undefined, word)));
    assert.deepEqual(built, Array(3).fill({ pages: 1, cut: 0 }));
    assert.equal(processes.size, 1);
    for (const word of words) {
      assert.deepEqual(await Promise.all(words.map((other) => found(word, other))), [
        ...words.map((other) => (other === word ? [word] : [])),
      ]);
    }
    await until(() => own().length === 0);
    await build('cherry');
  });

  it('receives pages of any size unchanged', async () => {
    const words = ['apple', 'pear', 'plum', 'cherry', 'quince'];
    const pages = [1, 499_000, 999_000, 2_000_000, 1].map((bytes, at) => [
      `p${at}.html`,
      `<title>${words[at]}</title><!--${' '.repeat(bytes)}--><p>end of ${words[at]}`,
    ]);
    await builder.build(join(home, 'sizes'), siteOf(Object.fromEntries(pages)));
    for (const word of words) assert.deepEqual(await found('sizes', `"end of ${word}"`), [word]);
  });

  it('frees its memory after a large site', async () => {
    const page = `<title>P</title><!--${' '.repeat(9_500_000)}--><p>large`;
    const pages = Array.from({ length: 6 }, (_, at) => [`p${at}.html`, page]);
    const large = siteOf(Object.fromEntries(pages));
    let first: readonly string[] = [];
    let second: readonly string[] = [];
    const reading: SearchableSite = {
      sample: large.sample,
      async *pages() {
        first = own();
        yield* large.pages();
      },
    };
    await builder.build(join(home, 'large'), reading);
    const note = () => {
      second = own();
    };
    await build('apple', note, undefined, 'after');
    assert.ok(second.some((pid) => !first.includes(pid)));
    await until(() => !own().some((pid) => first.includes(pid)));
    assert.deepEqual([first.length, await found('after', 'apple')], [1, ['apple']]);
  });

  it('keeps all other sites when one is aborted', async () => {
    const gone = new AbortController();
    const builds = [
      build('apple'),
      build('pear', () => gone.abort(new Error('the version is gone')), gone.signal),
      build('plum', undefined, gone.signal),
      build('cherry', undefined, undefined, 'cherry'),
    ];
    const settled = await Promise.allSettled(builds);
    assert.deepEqual(
      settled.map((each) => (each.status === 'fulfilled' ? each.value.pages : each.reason.message)),
      [1, 'the version is gone', 'the version is gone', 1],
    );
    assert.deepEqual(await found('cherry', 'cherry'), ['cherry']);
  });

  it('loses only the site that kills it', async () => {
    const die = () => {
      for (const pid of own()) process.kill(Number(pid), 'SIGKILL');
    };
    const settled = await Promise.allSettled([build('apple'), build('pear', die), build('plum')]);
    assert.deepEqual(
      settled.map((each) => (each.status === 'fulfilled' ? each.value.pages : each.reason.message)),
      [1, 'the indexing process ended with SIGKILL: ', 1],
    );
  });

  it('continues after an unreadable site, and after a file that is not writable', async () => {
    writeFileSync(join(home, 'file'), '');
    const failing = () => {
      throw new Error('the disk is gone');
    };
    const bad = builder.build(join(home, 'file', 'x'), site('pear'));
    const settled = await Promise.allSettled([build('apple', failing), bad, build('plum')]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    );
  });

  it('rejects sites once it is closed', async () => {
    const building = build('apple', () => builder.close());
    await assert.rejects(building);
    await assert.rejects(build('pear'), /closed/);
    await until(() => own().length === 0);
  });
});
