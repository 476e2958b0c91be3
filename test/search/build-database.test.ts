import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, mock } from 'node:test';
import Database from 'libsql';
import { buildDatabase } from '../../src/adapters/search/databases/build-database.js';
import { loadEngine, UnusableIndex } from '../../src/adapters/search/databases/load-engine.js';
import { keptBlocks, RevisionDatabase } from '../../src/adapters/search/databases/revision-database.js';
import type { ReadablePage } from '../../src/application/index.js';
import { PLACES } from '../../src/application/search/index.js';
import type { Section } from '../../src/formats/html/index.js';
import { ProcessMemory } from '../support/process-memory.js';
import { sectionsOf } from './sections-of.js';

const pageOf = (name: string, sections: readonly Section[]): ReadablePage => ({
  path: `${name}.html`,
  page: { title: name, kind: 'ordinary', sections, cut: [] },
});
const section = (heading: string, text: string, anchor = 'a'): Section => ({
  heading,
  level: 2,
  anchor,
  text,
});

const sectionsIn = (database: RevisionDatabase, id: number) =>
  sectionsOf(database.contentOf(database.page(id)));

describe('A built database', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  let made = 0;
  const build = async (pages: readonly ReadablePage[]) => {
    made += 1;
    const file = join(directory, `${made}.db`);
    const built = await buildDatabase(
      file,
      (async function* () {
        yield* pages;
      })(),
    );
    return { file, built };
  };
  const opened = async <Result>(file: string, work: (database: RevisionDatabase) => Result) => {
    const database = RevisionDatabase.open(await loadEngine(), file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const small = Array.from({ length: 40 }, (_, at) =>
    pageOf(`p${at}`, [section(`Whistling${at}`, `text ${at} `.repeat(100))]),
  );

  it('stores the number of pages with each word, and its best place', async () => {
    const { file } = await build([
      pageOf('Retry', [section('Budget', 'connection')]),
      pageOf('Several other words here', [section('About it', 'budget retry')]),
    ]);
    const known = await opened(file, (database) =>
      ['retry', 'word', 'budget', 'connection', 'pool'].map((token) => [
        database.pagesWith(token),
        PLACES[database.bestPlaceOf(token)],
      ]),
    );
    assert.deepEqual(known, [
      [2, 'about'],
      [1, 'title'],
      [2, 'names'],
      [1, 'often'],
      [0, undefined],
    ]);
  });

  it('has the beginning of a page too large for a block, and all of its neighbours', async () => {
    const huge = Array.from({ length: 5_000 }, (_, at) => section(`h${at}`, 't', '漢'.repeat(1_000)));
    const { file, built } = await build([
      pageOf('before', [section('b', 'before')]),
      pageOf('huge', huge),
      pageOf('after', [section('a', 'after')]),
    ]);
    assert.equal(built.pages, 3);
    const [before, cut, next] = await opened(file, (database) =>
      [1, 2, 3].map((id) => sectionsIn(database, id)),
    );
    assert.deepEqual([before, next], [[section('b', 'before')], [section('a', 'after')]]);
    assert.ok((cut?.length ?? 0) > 1_000, String(cut?.length));
    assert.deepEqual(cut?.slice(0, 1_000), huge.slice(0, 1_000));
  });

  it('can be decoded in full', async () => {
    const { file } = await build(small);
    await opened(file, (database) => database.readBack());
  });

  it('can be decoded when its pages have nothing but a title', async () => {
    const { file } = await build(Array.from({ length: 20_000 }, (_, at) => pageOf(`p${at}`, [])));
    await opened(file, (database) => {
      database.readBack();
      assert.deepEqual(sectionsIn(database, 20_000), []);
    });
  });

  it('has no free pages, although parts of words were merged', async () => {
    // Two neighbours are a word, and no two of these pages share many: FTS5 writes them in several parts.
    const pages = Array.from({ length: 12 }, (_, at) => {
      const codes = Array.from({ length: 20_000 }, (_, i) => 0x4e00 + ((i * i * (at + 1)) % 19_997));
      return pageOf(`p${at}`, [section('', String.fromCharCode(...codes))]);
    });
    const { file } = await build(pages);
    const database = new Database(file);
    const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).raw().get();
    assert.deepEqual([pragma('freelist_count'), pragma('integrity_check')], [[0], ['ok']]);
    database.close();
    await opened(file, (whole) => whole.readBack());
  });

  it('is never in memory as a whole', {
    skip: !ProcessMemory.isMeasurable && 'memory is read on Linux only',
  }, async () => {
    const memory = new ProcessMemory(process.pid);
    const { page } = pageOf('.'.repeat(100_000), []);
    const large = { path: 'p.html', page };
    await build([large]);
    const before = await memory.current();
    await memory.forgetPeak();
    const { file } = await build(Array<ReadablePage>(1_200).fill(large));
    const [size, grown] = [statSync(file).size, (await memory.peak()) - before];
    assert.ok(size > 120_000_000 && grown < 0.75 * size, `${grown} of ${size} bytes`);
  });

  it("returns cached texts, within the cache's size, and never those of another database", async () => {
    const [engine, first, second] = [await loadEngine(), await build(small), await build(small)];
    const kept = keptBlocks(20_000);
    const read = mock.method(kept, 'set').mock;
    const [one, other] = [first, second].map(({ file }) => RevisionDatabase.open(engine, file, kept));
    assert.ok(one !== undefined && other !== undefined);
    const textsOf = (id: number, database = one) => sectionsIn(database, id);
    const before = textsOf(1);
    assert.deepEqual(textsOf(1), before);
    assert.deepEqual(textsOf(2), [section('Whistling1', 'text 1 '.repeat(100))]);
    assert.equal(read.callCount(), 1);
    assert.deepEqual(textsOf(1, other), before);
    assert.equal(read.callCount(), 2);
    // Each has some eight hundred bytes, and a block more than sixteen thousand.
    for (let id = 2; id <= 40; id += 1) textsOf(id);
    assert.equal(read.callCount(), 4);
    assert.deepEqual(textsOf(1), before);
    assert.equal(read.callCount(), 5);
    one.close();
    other.close();
  });

  for (const [what, sql] of Object.entries({
    'a block is damaged': 'UPDATE blocks SET content = zeroblob(length(content)) WHERE id = 2',
    'a block is missing': 'DELETE FROM blocks WHERE id = 2',
    'a page is damaged': 'UPDATE pages SET content = zeroblob(length(content)) WHERE id = 39',
    'its words for typos are damaged': 'UPDATE spellings SET words = zeroblob(length(words))',
  })) {
    it(`is not decoded when ${what}`, async () => {
      const { file } = await build(small);
      const database = new Database(file);
      database.exec(sql);
      database.close();
      await opened(file, (damaged) => assert.throws(() => damaged.readBack(), UnusableIndex));
    });
  }

  for (const [what, sql] of Object.entries({
    'its filter of words is damaged': 'UPDATE filters SET content = zeroblob(length(content))',
    'its filter of words is missing': 'DELETE FROM filters',
  })) {
    it(`is not opened when ${what}`, async () => {
      const { file } = await build(small);
      const database = new Database(file);
      database.exec(sql);
      database.close();
      const engine = await loadEngine();
      assert.throws(() => RevisionDatabase.open(engine, file), UnusableIndex);
    });
  }

  it('is queried for words in its filter, and hardly any others', async () => {
    const { file } = await build(small);
    const words = Array.from({ length: 100 }, (_, at) => `absent${at}`);
    const database = new Database(file);
    for (const word of words) database.prepare('INSERT INTO frequencies VALUES(?, ?, ?)').run(word, 1, 0);
    database.close();
    await opened(file, (other) => {
      const seen = words.filter((word) => other.pagesWith(word) > 0);
      assert.ok(seen.length <= 10, `${seen}`);
      assert.equal(other.pagesWith('whistling7'), 1);
    });
  });
});
