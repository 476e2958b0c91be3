import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  changedSections,
  fragmentOf,
  textDirectives,
} from '../../src/adapters/web/comparison/beside-page.js';
import type { ComparedBlock, TextPart } from '../../src/application/index.js';

const block = (text: string, kind: TextPart['kind'] = 'same'): ComparedBlock => ({
  isHeading: false,
  parts: [{ kind, text }],
});
const heading = (text: string, anchor?: string, kind: TextPart['kind'] = 'same'): ComparedBlock => ({
  ...block(text, kind),
  isHeading: true,
  ...(anchor && { anchor }),
});

describe('The changed sections of a page', () => {
  const textsOf = (blocks: readonly ComparedBlock[], max = 100) =>
    changedSections(blocks, max).map(({ heading, anchor, changes }) => [
      heading,
      anchor,
      changes.map((change) => change.map(({ parts: [part] }) => part?.text)),
    ]);

  it('have their headings, the nearest anchor, and a change for each run of blocks', () => {
    assert.deepEqual(
      textsOf([
        block('a', 'added'),
        heading('One', 'one'),
        block('same'),
        heading('Two'),
        block('b', 'removed'),
        block('c', 'added'),
        block('same'),
        block('d', 'added'),
      ]),
      [
        ['', '', [['a']]],
        ['Two', 'one', [['b', 'c'], ['d']]],
      ],
    );
  });

  it('begin at headings of the later page only: a removed heading is a change of the section before', () => {
    assert.deepEqual(
      textsOf([heading('One', 'one'), heading('Old', 'old', 'removed'), heading('New', 'new', 'added')]),
      [
        ['One', 'one', [['Old']]],
        ['New', 'new', [['New']]],
      ],
    );
  });

  it('end with the last shown block', () => {
    const blocks = ['a', 'b', 'c'].map((text) => block(text, 'added'));
    assert.deepEqual(textsOf(blocks, 2), [['', '', [['a', 'b']]]]);
  });
});

describe('The texts that browsers mark in a page', () => {
  const LONG = 'This sentence is long-winded, and has more.';
  const FOUND = 'This%20sentence%20is%20long%2Dwinded%2C%20and%20has%20more.';
  const directivesOf = (...blocks: readonly ComparedBlock[]) => [...textDirectives(blocks).values()];

  it('are the texts of added and changed blocks, and no headings', () => {
    assert.deepEqual(
      directivesOf(heading(LONG, 'a', 'added'), block('Other', 'removed'), block(`${LONG} New`, 'added')),
      [`text=${FOUND}%20New`],
    );
    assert.deepEqual(directivesOf(block(LONG)), []);
  });

  it('are distinguished from equal earlier texts by the words before, and dropped without such words', () => {
    assert.deepEqual(directivesOf(block(LONG), block('One two three four five six'), block(LONG, 'added')), [
      `text=two%20three%20four%20five%20six-,${FOUND}`,
    ]);
    assert.deepEqual(directivesOf(block(LONG), heading('A'), block(LONG, 'added')), []);
    assert.deepEqual(
      directivesOf(block('So:'), block(LONG), block('So:'), block(LONG, 'added')),
      [],
      'the same words are in front of both',
    );
  });

  it('are never short ones alone, which may be in a menu', () => {
    assert.deepEqual(directivesOf(block('return 1', 'added')), []);
    assert.deepEqual(directivesOf(block('def one():'), block('    return 1', 'added')), [
      'text=def%20one()%3A-,return%201',
    ]);
  });

  it('are the whole words at the beginning of long ones', () => {
    const [directive = ''] = directivesOf(block('word '.repeat(100), 'added'));
    assert.match(directive, /^text=(?:word%20){59}word$/);
    assert.deepEqual(directivesOf(block('x'.repeat(1_000), 'added')), []);
  });

  it('follow the anchor, of any characters, and number ten at most', () => {
    assert.equal(fragmentOf('', []), '#');
    assert.equal(fragmentOf('a-b"ü\ud800', []), '#a-b%22%C3%BC%EF%BF%BD');
    const many = Array.from({ length: 12 }, (_, index) => `text=${index}`);
    assert.equal(fragmentOf('a', many), `#a:~:${many.slice(0, 10).join('&')}`);
  });
});
