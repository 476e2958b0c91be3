import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import semver from 'semver';
import { compareLabels, isSemantic, isStable } from '../../src/domain/index.js';
import { semanticVersion } from './labels.js';

/** `1.0.0-post1` is a post-release here, on purpose; semver would call it a pre-release. */
const usual = semanticVersion.filter((label) => !/^v?[\d.]+-post/i.test(label));
const RUNS = { numRuns: 5000 };

describe('Full semantic versions', () => {
  it('are recognised', () => {
    fc.assert(
      fc.property(semanticVersion, (label) => assert.equal(isSemantic(label), true)),
      RUNS,
    );
  });

  it('are ordered as semver orders them', () => {
    fc.assert(
      fc.property(usual, usual, (a, b) => {
        const expected = semver.compare(a, b);
        if (expected !== 0) assert.equal(Math.sign(compareLabels(a, b)), expected);
      }),
      RUNS,
    );
  });

  it('are ordered as semver orders them when only their tags differ', () => {
    const tag = usual.map((label) => /^[^+-]*(-[^+]*)/.exec(label)?.[1] ?? '');
    fc.assert(
      fc.property(tag, tag, (a, b) => {
        const expected = semver.compare(`1.0.0${a}`, `1.0.0${b}`);
        if (expected !== 0) assert.equal(Math.sign(compareLabels(`1.0.0${a}`, `1.0.0${b}`)), expected);
      }),
      RUNS,
    );
  });

  it('are stable when they have no pre-release tag', () => {
    fc.assert(
      fc.property(usual, (label) => assert.equal(isStable(label), semver.prerelease(label) === null)),
      RUNS,
    );
  });

  for (const label of [
    '1.0',
    '1',
    '1.0.0.0',
    '01.0.0',
    '1.0.0-01',
    '1.0.0-',
    '1.0.0+',
    '1.0.0-a..b',
    'x1.0.0',
    '=1.0.0',
    ' 1.0.0',
    '1.0.0 ',
    'V1.0.0',
    '',
  ]) {
    it(`do not include '${label}'`, () => assert.equal(isSemantic(label), false));
  }

  it('have numbers of any length', () => {
    assert.equal(isSemantic('1.2.20240115123456789'), true);
  });
});
