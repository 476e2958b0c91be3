import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TERM_CHARACTERS, wordsOfPage } from '../../src/domain/index.js';

describe('The words of a page', () => {
  for (const [page, words] of [
    ['install.html', 'install'],
    ['en/getting-started/install.html', 'getting started install'],
    ['guide/index.html', 'guide'],
    ['guide/', 'guide'],
    ['guide/index.htm', 'guide'],
    ['api/flask.Flask.html', 'api flask Flask'],
    ['release/1.10.html', 'release 1.10'],
    ['functions-json_agg.html', 'functions json agg'],
    ['manual.php', 'manual'],
    ['plugin/plugin.html', 'plugin'],
    ['gr%C3%B6%C3%9Fe/%E3%83%91.html', 'größe パ'],
    ['a%20b/%22c%22', 'a b c'],
    ['%ff/install', 'ff install'],
    ['', ''],
    ['index.html', ''],
    ['//', ''],
    ['-/_/.', ''],
  ] as const) {
    it(`of '${page}' are '${words}'`, () => assert.equal(wordsOfPage(page), words));
  }

  it('are no more than a search takes, in characters', () => {
    assert.equal([...wordsOfPage(encodeURIComponent('😀'.repeat(300)))].length, 0);
    assert.equal([...wordsOfPage(encodeURIComponent('𝒶'.repeat(300)))].length, MAX_TERM_CHARACTERS);
    assert.equal(wordsOfPage('/'.repeat(20_000)), '');
  });
});
