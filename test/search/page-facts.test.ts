import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { read } from './read.js';

describe('The title of a page', () => {
  it('is its <title>', () => {
    assert.equal(read('<title> A &amp;\n B </title><h1>C</h1>').title, 'A & B');
  });

  it('is its first heading without a <title>', () => {
    assert.equal(read('<title> </title><p>x</p><h2>A</h2><h1>B</h1>').title, 'A');
    assert.equal(read('<p>x').title, '');
  });

  it('ignores titles in pictures, and is the first of several', () => {
    assert.equal(read('<title>A</title><svg><title>B</title></svg><title>C</title>').title, 'A');
    assert.equal(read('<svg><title>B</title></svg><h1>A</h1>').title, 'A');
  });

  it('has at most 500 characters', () => {
    assert.equal(read(`<title>${'x'.repeat(9_999)}</title>`).title.length, 500);
  });
});

describe('The language of a page', () => {
  it('is the tag of <html lang>, or else of <meta>', () => {
    assert.equal(read('<html lang="pt-BR">x').language, 'pt-BR');
    assert.equal(read('<html xml:lang="en_US">x').language, 'en-US');
    assert.equal(read('<meta http-equiv="Content-Language" content="de">x').language, 'de');
  });

  it('is unknown for an invalid tag', () => {
    for (const tag of ['', '"', 'english please', 'x'.repeat(99)]) {
      assert.equal(read(`<html lang='${tag}'>x`).language, undefined, tag);
    }
  });
});

describe('A noindex page', () => {
  it('is marked by <meta name=robots>', () => {
    assert.equal(read('<meta name="ROBOTS" content="nofollow, NOINDEX"><p>x').excluded, 'noindex');
    assert.equal(read('<meta name="robots" content="none">').excluded, 'noindex');
    assert.equal(read('<meta name="robots" content="index,follow">').excluded, undefined);
  });

  it('is marked by an immediate redirect', () => {
    const page = read('<meta http-equiv="refresh" content="0; url=../new.html"><p>Moved</p>');
    assert.equal(page.excluded, 'redirect');
    assert.equal(read('<meta http-equiv=Refresh content="0;URL=\'a.html\'">').excluded, 'redirect');
  });

  it('is not marked by a reload, a delay of a minute, or a redirect for readers without scripts', () => {
    assert.equal(read('<meta http-equiv="refresh" content="5">').excluded, undefined);
    assert.equal(read('<meta http-equiv="refresh" content="60; url=a.html">').excluded, undefined);
    assert.equal(
      read('<noscript><meta http-equiv="refresh" content="0; url=a"></noscript>').excluded,
      undefined,
    );
  });

  it('keeps its text', () => {
    assert.equal(read('<meta name=robots content=noindex><p>x').sections[0]?.text, 'x');
  });
});
