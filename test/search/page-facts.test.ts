import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { read } from './read.js';

const kindOf = (path: string, generator = '') =>
  read(`<meta name=generator content="${generator}"><p>x`, { path }).kind;

describe('The title of a page', () => {
  it('is its <title>', () => {
    assert.equal(read('<title> A &amp;\n B </title><h1>C</h1>').title, 'A & B');
  });

  it('is its first heading where there is no <title>', () => {
    assert.equal(read('<title> </title><p>x</p><h2>A</h2><h1>B</h1>').title, 'A');
    assert.equal(read('<p>x').title, '');
  });

  it('is none of the titles in pictures, and the first of several', () => {
    assert.equal(read('<title>A</title><svg><title>B</title></svg><title>C</title>').title, 'A');
    assert.equal(read('<svg><title>B</title></svg><h1>A</h1>').title, 'A');
  });

  it('has at most 500 characters', () => {
    assert.equal(read(`<title>${'x'.repeat(9_999)}</title>`).title.length, 500);
  });
});

describe('The language of a page', () => {
  it('is what <html lang> says, or else <meta>', () => {
    assert.equal(read('<html lang="pt-BR">x').language, 'pt-BR');
    assert.equal(read('<html xml:lang="en_US">x').language, 'en-US');
    assert.equal(read('<meta http-equiv="Content-Language" content="de">x').language, 'de');
  });

  it('is unknown where the tag is none', () => {
    for (const tag of ['', '"', 'english please', 'x'.repeat(99)]) {
      assert.equal(read(`<html lang='${tag}'>x`).language, undefined, tag);
    }
  });
});

describe('The kind of a page', () => {
  it('is a generated list by its path', () => {
    for (const path of [
      'genindex.html',
      'a/genindex-A.html',
      'py-modindex/index.html',
      '_modules/flask/app.html',
    ]) {
      assert.equal(kindOf(path), 'generated-list', path);
    }
    for (const path of ['index-all.html', 'api/java/util/class-use/List.html', 'index-files/index-3.html']) {
      assert.equal(kindOf(path), 'generated-list', path);
    }
  });

  it('is a generated list by its path and its builder, where other builders have such paths too', () => {
    assert.equal(kindOf('functions.html', 'Doxygen 1.9.4'), 'generated-list');
    assert.equal(kindOf('functions.html'), 'ordinary');
    assert.equal(kindOf('src/std/lib.rs.html', 'rustdoc'), 'generated-list');
    assert.equal(kindOf('src/guide.html', 'mdbook'), 'ordinary');
    const kindBy = (script: string) =>
      read(`<script src="${script}"></script>`, { path: 'src/Tea.html' }).kind;
    assert.deepEqual(['highlight.js', '../js/highlight.js'].map(kindBy), ['generated-list', 'ordinary']);
  });

  it('is release notes by its path', () => {
    for (const path of ['changelog.html', 'changes/index.html', 'release-15-1.html', 'releases/3.2.html']) {
      assert.equal(kindOf(path), 'release-notes', path);
    }
    assert.equal(kindOf('whats-new/3.html'), 'release-notes');
  });

  it('is ordinary otherwise', () => {
    for (const path of ['index.html', 'newsletter.html', 'util/genindexer.html', 'releasing.html']) {
      assert.equal(kindOf(path), 'ordinary', path);
    }
  });
});

describe('A page that search engines leave out', () => {
  it('says so by <meta name=robots>', () => {
    assert.equal(read('<meta name="ROBOTS" content="nofollow, NOINDEX"><p>x').excluded, 'noindex');
    assert.equal(read('<meta name="robots" content="none">').excluded, 'noindex');
    assert.equal(read('<meta name="robots" content="index,follow">').excluded, undefined);
  });

  it('is one that only leads elsewhere', () => {
    const page = read('<meta http-equiv="refresh" content="0; url=../new.html"><p>Moved</p>');
    assert.equal(page.excluded, 'redirect');
    assert.equal(read('<meta http-equiv=Refresh content="0;URL=\'a.html\'">').excluded, 'redirect');
  });

  it('is none that reloads itself, waits for a minute, or leads readers without scripts elsewhere', () => {
    assert.equal(read('<meta http-equiv="refresh" content="5">').excluded, undefined);
    assert.equal(read('<meta http-equiv="refresh" content="60; url=a.html">').excluded, undefined);
    assert.equal(
      read('<noscript><meta http-equiv="refresh" content="0; url=a"></noscript>').excluded,
      undefined,
    );
  });

  it('has its text all the same', () => {
    assert.equal(read('<meta name=robots content=noindex><p>x').sections[0]?.text, 'x');
  });
});
