import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasBase, insertInHead } from '../../src/formats/html/index.js';
import { assertEnds } from '../support/assert-ends.js';

const inserted = (html: string) => new TextDecoder().decode(insertInHead(Buffer.from(html), '[X]'));

const PAGES: readonly (readonly [html: string, result: string])[] = [
  ['<!doctype html><html lang="en"><head><title>a', '<!doctype html><html lang="en"><head>[X]<title>a'],
  ['<!DOCTYPE html>\n<HTML>\n<HEAD class="x">\n', '<!DOCTYPE html>\n<HTML>\n<HEAD class="x">[X]\n'],
  ['<html><head prefix="a>b" title=\'">\'>c', '<html><head prefix="a>b" title=\'">\'>[X]c'],
  ['<!-- <head> --><html><!-- b --><head><meta>', '<!-- <head> --><html><!-- b --><head>[X]<meta>'],
  // The tags may be left out.
  ['<!doctype html><title>a</title>', '<!doctype html>[X]<title>a</title>'],
  ['<!doctype html><html><body>a', '<!doctype html><html>[X]<body>a'],
  ['<header>a', '[X]<header>a'],
  ['own 404', '[X]own 404'],
  ['', '[X]'],
  ['\ufeff<head>a', '\ufeff<head>[X]a'],
  // Broken markup.
  ['<!-- never closed <head>', '[X]<!-- never closed <head>'],
  ['<html lang="en', '[X]<html lang="en'],
];

describe('Markup inserted into the head of a page', () => {
  for (const [html, result] of PAGES) {
    it(`makes ${JSON.stringify(html.slice(0, 50))} begin with ${JSON.stringify(result.slice(0, 50))}`, () => {
      // Buffer keeps the byte order mark, which TextDecoder takes away.
      assert.equal(inserted(html), result.replace('\ufeff', ''));
    });
  }

  it('keeps all bytes of the page, in order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const result = insertInHead(bytes, '[X]');
        if (result === bytes) return;
        const at = Buffer.from(result).indexOf('[X]');
        assert.deepEqual([...result.subarray(0, at), ...result.subarray(at + 3)], [...bytes]);
      }),
    );
  });

  it('leaves out a page in UTF-16', () => {
    const page = Buffer.from('\ufeff<html><head>', 'utf16le');
    assert.equal(insertInHead(page, '[X]'), page);
  });

  it('is inserted in linear time into a page of unfinished comments', () => {
    const page = Buffer.from('<!--'.repeat(50_000));
    assertEnds(() => {
      for (let times = 0; times < 1_000; times++) {
        insertInHead(page, '[X]');
        hasBase(page);
      }
    });
  });
});

describe('A page with a base', () => {
  it('has the element, in any case, outside of comments', () => {
    for (const html of ['<base href="/">', '<head><BASE\nhref=x>', '<base>', '<base/>']) {
      assert.equal(hasBase(Buffer.from(html)), true, html);
    }
    for (const html of ['', '<basefont>', '<!-- <base href="/"> -->', 'base href']) {
      assert.equal(hasBase(Buffer.from(html)), false, html);
    }
  });
});
