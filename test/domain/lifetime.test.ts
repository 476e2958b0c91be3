import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLifetime } from '../../src/domain/index.js';

const HOUR = 3_600_000;

describe('The lifetime of a preview', () => {
  for (const [text, ms] of [
    ['1h', HOUR],
    ['12h', 12 * HOUR],
    ['14d', 14 * 24 * HOUR],
    ['3650d', 3_650 * 24 * HOUR],
    ['87600h', 3_650 * 24 * HOUR],
  ] as const) {
    it(`${text} is read`, () => assert.equal(parseLifetime(text), ms));
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
    it(`'${text}' is refused`, () => assert.equal(parseLifetime(text), undefined));
  }
});
