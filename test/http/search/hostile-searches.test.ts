import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { SqliteSearchIndex } from '../../../src/adapters/search/index.js';
import { anyString } from '../../support/any-string.js';
import { type Json, TestServer } from '../../support/server.js';

/** Signs and words that mean something to FTS5, SQL, HTML, URLs or the query itself. */
const SYNTAX = [
  ...[
    '"',
    '""',
    "'",
    '*',
    '^',
    '+',
    '-',
    ':',
    '(',
    ')',
    '{',
    '}',
    ';',
    '--',
    '/*',
    '%',
    '_',
    '\\',
    '\0',
    ',',
  ],
  ...[
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR(',
    'NEAR("a" "b", 2)',
    'title:',
    'body : ',
    '{title body} :',
    'rank',
    'MATCH',
  ],
  ...[
    'project:',
    'project:kettle',
    'project:"',
    'DROP TABLE pages',
    '<script>',
    '&amp;',
    '#',
    '?',
    '&',
    '=',
    '%00',
  ],
  ...['ﷺ', 'ß', '日本', '\u202e', '😀', '\ud83d', 'e\u0301', 'İ', '\u200d', '٣'],
];
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...SYNTAX), fc.constantFrom('kettle', 'water', 'whistle', 'ket'), anyString()),
    {
      maxLength: 40,
    },
  )
  .chain((parts) => fc.constantFrom('', ' ').map((between) => parts.join(between)));

describe('Hostile searches', () => {
  let server: TestServer;
  let directory: string;
  let searches = 0;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-search-'));
    const search = new (class extends SqliteSearchIndex {
      override search(...of: Parameters<SqliteSearchIndex['search']>) {
        searches += 1;
        return super.search(...of);
      }
    })({ fileOf: (revision) => join(directory, `${revision}.sqlite`) });
    server = await TestServer.start({ search });
    await server.upload('kettle-1.0-docs.zip', {
      'index.html':
        '<title>&lt;script>alert(1)&lt;/script></title><main><h1>&lt;img src=x onerror=alert(1)></h1><p>A kettle boils water &lt;b onclick=alert(1)>now&lt;/b>.</main>',
      'whistle.html':
        '<title>Whistle</title><main><h2 id="&quot;><script>">Whistle "loud"</h2><p>NEAR the kettle.</main>',
    });
    await server.isIndexed();
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  it('get results or a sentence, whatever they contain', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (typed) => {
        const query = encodeURIComponent(typed.replace(/\p{Cs}/gu, '\ufffd'));
        const response = await server.get(`/api/search?q=${query}`);
        const body = (await response.json()) as Json;
        if (response.status === 400) {
          assert.equal(body.error, 'invalid_request');
          assert.ok([...typed].length > 200 || typed.trim() === '', typed);
          return;
        }
        assert.equal(response.status, 200, typed);
        for (const { url, snippet } of body.results as Json[]) {
          assert.match(url, /^\/kettle-latest\/[\w.]*(?:#[\w%.()-]+)?$/);
          for (const run of snippet) assert.deepEqual(Object.keys(run), ['text', 'marked']);
        }
        assert.equal((await server.get(`/-/search?q=${query}`)).status, 200);
      }),
      { numRuns: 200 },
    );
  });

  it('are refused at ten thousand words before the index is searched', async () => {
    assert.equal((await server.get('/api/search?q=kettle')).status, 200);
    const before = searches;
    assert.notEqual(before, 0);
    for (const query of ['a%20'.repeat(3_500), `%22${'a+'.repeat(5_000)}`, 'x'.repeat(12_000)]) {
      const response = await server.get(`/api/search?q=${query}`);
      assert.equal(response.status, 400);
      assert.equal(((await response.json()) as Json).error, 'invalid_request');
    }
    assert.equal(searches, before);
  });

  it('find pages with HTML-like titles, headings and text, and show them as text', async () => {
    for (const query of [
      'script',
      'kettle boils',
      'alert onclick',
      'whistle loud',
      '<img src=x onerror=alert(1)>',
    ]) {
      const html = await (await server.get(`/-/search?q=${encodeURIComponent(query)}`)).text();
      assert.match(html, /class="row hit"/, query);
      assert.doesNotMatch(html, /<script>|<img src=x|<b onclick/);
      const main = html.slice(html.indexOf('<main'));
      for (const [tag] of main.matchAll(/<[a-z](?:[^>"]|"[^"]*")*>/g)) {
        assert.doesNotMatch(tag.replace(/="[^"]*"/g, '='), /\son\w+=/, tag);
      }
    }
  });
});
