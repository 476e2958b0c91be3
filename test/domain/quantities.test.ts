import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { counted, parseLifetime, sizeOf } from '../../src/domain/index.js';

const HOUR = 3_600_000;

it('formats a size with at most three digits, even when rounded', () => {
  const KIB = 1024;
  for (const [bytes, words] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1.0 KiB'],
    [1_023, '1.0 KiB'],
    [1_536, '1.5 KiB'],
    [9.94 * KIB, '9.9 KiB'],
    [9.96 * KIB, '10 KiB'],
    [999.4 * KIB, '999 KiB'],
    [999.6 * KIB, '1.0 MiB'],
    [1.4 * KIB ** 2, '1.4 MiB'],
    [5 * KIB ** 3, '5.0 GiB'],
    [5_000 * KIB ** 4, '5000 TiB'],
  ] as const) {
    assert.equal(sizeOf(bytes), words, String(bytes));
  }
});

it('formats a count with its noun, and commas from a thousand on', () => {
  for (const [count, words] of [
    [0, '0 files'],
    [1, '1 file'],
    [2, '2 files'],
    [999, '999 files'],
    [1_234, '1,234 files'],
    [1_000_000, '1,000,000 files'],
  ] as const) {
    assert.equal(counted(count, 'file'), words);
  }
});

describe('The lifetime of a preview', () => {
  for (const [text, ms] of [
    ['1h', HOUR],
    ['12h', 12 * HOUR],
    ['14d', 14 * 24 * HOUR],
    ['3650d', 3_650 * 24 * HOUR],
    ['87600h', 3_650 * 24 * HOUR],
  ] as const) {
    it(`is parsed: ${text}`, () => assert.equal(parseLifetime(text), ms));
  }

  for (const text of [
    '',
    '0d',
    '0h',
    '-1d',
    '1',
    'd',
    '14 d',
    '14D',
    '1w',
    '1.5d',
    '01d',
    '3651d',
    '87601h',
    '9999999h',
    '1d ',
    '1d12h',
    '१d',
  ]) {
    it(`is refused: '${text}'`, () => assert.equal(parseLifetime(text), undefined));
  }
});
