import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareLabels, isNumbered } from '../../src/domain/index.js';

/** The chain of contract section 3. */
// biome-ignore format: reads as the contract writes it
const CHAIN = [
  '0.9', '1.0.dev3', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0b7', '1.0.0-beta.11', '1.0rc1', '1.0.0',
  '1.0.post1', '1.0.1', '1.2.3.4', '1.2.3.10', 'v1.9', '1.10', '2.0.0-rc.1', '2.0.0', '2024.01.15', '2024.2.1',
];

/** Pairs in which the first comes before the second. */
// biome-ignore format: one pair a line
const PAIRS: readonly (readonly [older: string, newer: string, why: string])[] = [
  ['main', '0.0.0-alpha', 'no number comes before any number'],
  ['abc1234', '0', 'a hash that starts with a letter has no number'],
  ['abc1234', 'main', 'labels without a number go by name'],
  ['2', '10', 'numbers are compared as numbers'],
  ['1.9.9', 'v1.10', 'a leading v does not count'],
  ['1.0-nightly', '1.0', 'other letters come before the number itself'],
  ['2.x', '2.0.1', 'letters in place of a part come before the number'],
  ['1.0.0-rc.1', '1.0.0-rc.1+b5', 'equal precedence falls back to the labels'],
  ['1.0', '1.0.0', 'equal precedence falls back to the labels'],
  ['1.0', '1.0-1', 'a number after a hyphen is a post-release, as PEP 440 writes it'],
  ['1.0.0', '1.0.0-post1', 'a post tag comes after the release, though semver would call it a pre-release'],
  ['1.0.0-post1', '1.0.1-rc.1', 'a post-release comes before the next number'],
  ['1.0.0-1', '1.0.0', 'a numeric tag of a full semantic version is a pre-release'],
  ['99999999999999999998', '99999999999999999999', 'numbers have any length'],
  ['1.0.99999999999999999999-rc.1', '1.0.99999999999999999999', 'and tags count behind long numbers too'],
  ['1.0.99999999999999999999-5', '1.0.99999999999999999999', 'a semantic version has numbers of any length'],
  ['2023-12-31', '2024-01-01', 'a date with hyphens is a date'],
  ['2024-01-14', '2024.1.15', 'whatever the separators of dates are'],
  ['2024-01-14', '2024-01-15-rc1', 'a date with a suffix stays the date that it starts with'],
  ['2024-01-15', '2024-01-15-2', 'a second release of one day comes after the first'],
  ['2024-01-15-2', '2024-01-16', 'and before the next day'],
  ['1.2.3.post.dev4-abc1234', '1.2.3.post1', 'what is left over does not hide the suffixes'],
];

describe('The order of versions', () => {
  it('matches the contract, from any input order', () => {
    const shuffled = fc.shuffledSubarray(CHAIN, { minLength: CHAIN.length });
    fc.assert(fc.property(shuffled, (labels) => assert.deepEqual(labels.sort(compareLabels), CHAIN)));
  });

  it('holds between any two members of the chain, not only neighbours', () => {
    for (const [at, older] of CHAIN.entries()) {
      for (const newer of CHAIN.slice(at + 1))
        assert.ok(compareLabels(older, newer) < 0, `${older} < ${newer}`);
    }
  });

  for (const [older, newer, why] of PAIRS) {
    it(`puts ${older} before ${newer}: ${why}`, () => {
      assert.ok(compareLabels(older, newer) < 0);
      assert.ok(compareLabels(newer, older) > 0);
    });
  }

  it('puts every label without a number before every numbered one', () => {
    const unnumbered = ['main', 'abc1234', 'v', 'latest2', 'release-1.0', 'Z'];
    for (const label of unnumbered) {
      assert.equal(isNumbered(label), false, label);
      for (const numbered of CHAIN) assert.ok(compareLabels(label, numbered) < 0, `${label} < ${numbered}`);
    }
    for (const label of CHAIN) assert.equal(isNumbered(label), true, label);
  });
});
