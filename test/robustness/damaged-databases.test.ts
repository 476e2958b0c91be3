import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import Database from 'libsql';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import type { SearchResult } from '../../src/application/index.js';
import { programBeside } from '../support/program-beside.js';
import { siteOf } from '../support/searchable-site.js';

const SITE = siteOf(
  Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `p${at}.html`,
      `<title>Page ${at}</title><p>${Array.from({ length: 200 }, (_, word) => `word${(at * 7 + word * 13) % 997}`).join(' ')} mango</p>`,
    ]),
  ),
);

const QUERIES = ['mango', 'word12', '"word0 word13"', 'pgae 7', 'page 7'];

const changedBy = (sql: string) => (file: string) => {
  const database = new Database(file);
  database.exec(sql);
  database.close();
};

describe('The database of a revision', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  const fileOf = (revision: string) => join(directory, `${revision}.db`);
  const live = (...revisions: string[]) => revisions.map((revision) => ({ revision, project: 'p' }));
  const index = new SqliteSearchIndex({ fileOf });

  before(async () => {
    await index.build('good', SITE);
  });
  after(async () => {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const damages: Readonly<Record<string, (file: string) => void>> = {
    'is truncated': (file) => truncateSync(file, 20_000),
    'is empty': (file) => truncateSync(file, 0),
    'is another file': (file) => writeFileSync(file, 'not a database at all '.repeat(500)),
    'is overwritten with zeros but for its beginning': (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0, 8192));
    },
    'is a directory': (file) => {
      rmSync(file);
      mkdirSync(file);
      writeFileSync(join(file, 'something'), '');
    },
    'is of another format': changedBy('UPDATE meta SET format = format + 1'),
    'has no table of pages': changedBy('DROP TABLE pages'),
    'has no words': changedBy('DROP TABLE words'),
    'has words of other columns': changedBy(
      "DROP TABLE words; CREATE VIRTUAL TABLE words USING fts5(title, body, content='', columnsize=0)",
    ),
    'has lost a column': changedBy('ALTER TABLE frequencies RENAME COLUMN pages TO others'),
    'has lost pages': changedBy('DELETE FROM pages WHERE id > 200'),
    'has no settings of FTS5': changedBy('DELETE FROM words_config'),
    'counts a word in more pages than there are': changedBy('UPDATE frequencies SET pages = 301'),
    'has a word in a place that no page has': changedBy('UPDATE frequencies SET place = 7'),
    'has text that is no UTF-8': changedBy("UPDATE pages SET content = CAST(x'ff80' AS TEXT)"),
    'has a schema that is no UTF-8': (file) => {
      const bytes = readFileSync(file);
      bytes[bytes.indexOf('content BLOB')] = 0xff;
      writeFileSync(file, bytes);
    },
  };
  for (const [how, damage] of Object.entries(damages)) {
    it(`is named as missing when it ${how}, and all other databases are searched`, async () => {
      copyFileSync(fileOf('good'), fileOf('bad'));
      damage(fileOf('bad'));
      assert.equal(await index.has('bad'), how !== 'is a directory');
      for (const query of QUERIES) {
        const { missing, results } = await index.search(query, live('good', 'bad'), { limit: 5 });
        assert.deepEqual(missing, ['bad'], query);
        assert.ok(results.length > 0, query);
        assert.ok(results.every(({ revision }) => revision === 'good'));
      }
      assert.equal(await index.has('bad'), false);
      assert.ok(!existsSync(fileOf('bad')));
    });
  }

  it('returns the text of its pages, or is named as missing, when cut or changed anywhere', async () => {
    const words = (at: number) => `mango word${at % 5} ${'and so on '.repeat(20)}`;
    const small = Array.from({ length: 12 }, (_, at) => [
      `p${at}.html`,
      `<title>Page ${at}</title><h2 id="s${at}">Section ${at}</h2><p>${words(at)}</p>`,
    ]);
    await index.build('whole', siteOf(Object.fromEntries(small)));
    const whole = readFileSync(fileOf('whole'));
    const isPage = ({ path, title, heading, anchor, snippet }: SearchResult) => {
      const at = Number(/^p(\d+)\.html$/.exec(path)?.[1]);
      const text = snippet.map((run) => run.text).join('');
      const isSection = heading === `Section ${at}` && anchor === `s${at}`;
      return (
        title === `Page ${at}` &&
        (isSection || (heading ?? anchor) === undefined) &&
        words(at).includes(text.replace(/^… | …$/g, ''))
      );
    };
    const anywhere = fc.integer({ min: 0, max: whole.length - 1 });
    const beginning = fc.integer({ min: 0, max: 4_095 });
    const change = fc.tuple(fc.oneof(anywhere, beginning), fc.uint8Array({ minLength: 1, maxLength: 40 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.option(anywhere),
        async (changes, length) => {
          const bytes = Buffer.from(whole);
          for (const [at, written] of changes) bytes.set(written.subarray(0, bytes.length - at), at);
          await index.drop('changed');
          writeFileSync(fileOf('changed'), bytes.subarray(0, length ?? bytes.length));
          for (const query of ['mango', 'word3', 'pgae 7', 'sec', '"mango word1"']) {
            const { results, missing } = await index.search(query, live('whole', 'changed'), { limit: 50 });
            assert.ok(results.every(isPage), query);
            assert.ok(results.some(({ revision }) => revision === 'whole'));
            assert.deepEqual(missing, existsSync(fileOf('changed')) ? [] : ['changed']);
            if (missing.length > 0) assert.ok(results.every(({ revision }) => revision === 'whole'));
          }
        },
      ),
      { numRuns: 150 },
    );
    await Promise.all([index.drop('whole'), index.drop('changed')]);
  });

  it('is built again over whatever is in its place', async () => {
    mkdirSync(join(fileOf('again'), 'folder'), { recursive: true });
    await index.build('again', SITE);
    const { results, missing } = await index.search('mango', live('again'), { limit: 5 });
    assert.deepEqual([results.length, missing], [5, []]);
    await index.drop('again');
  });

  it('leaves no journal, no lock, and no file of a failed build', async () => {
    const failing = {
      ...SITE,
      async *pages() {
        yield* SITE.pages();
        throw new Error('gone');
      },
    };
    await assert.rejects(index.build('failed', failing), /gone/);
    await index.search('mango', live('good'), { limit: 5 });
    assert.deepEqual(readdirSync(directory), ['good.db']);
  });

  it('is closed in favour of other databases when the process may have 64 open files', () => {
    const copies = 200;
    for (let at = 0; at < copies; at += 1) copyFileSync(fileOf('good'), fileOf(`copy${at}`));
    const program = programBeside(import.meta.url, 'few-open-files');
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [...process.execArgv, program, directory, String(copies)],
      { encoding: 'utf8' },
    );
    assert.deepEqual(JSON.parse(stdout || '{}'), { found: Array(4).fill([10, 0]), open: [] }, stderr);
  });
});
