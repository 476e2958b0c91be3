import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isStable, versionKind } from '../../src/domain/index.js';

// biome-ignore format: a list
const STABLE = [
  '1.0.0', '1.0', '1', 'v2', 'V2', '1.2.3.4.5', '2024.01.15', '2024-01-15', '20240115', '1.0.post1', '1.0-1', '1.0r4',
  '1.0.0-post1', '1.0.0-post.1', '1.0.0+nightly', '1.0.0+b5', '1.0+dev', '007', '1.0.99999999999999999999',
];
// biome-ignore format: a list
const UNSTABLE = [
  '1.0.0-alpha', '1.0.0-0', '1.0.0-1', '1.0.0-SNAPSHOT', '1.0.0-rc.1+b5', '1.0a1', '1.0b7', '1.0c1', '1.0rc1',
  '1.0alpha', '1.0.beta2', '1.0pre', '1.0-preview_1', '1.0.dev3', '1.0.post1.dev2', '1.2.3.post.dev4',
  '1.2.3.post.dev4-abc1234', '2.x', '1.0-nightly', '1.0.x', '1a2b3c4', 'v1.0RC1', '1.0.0-postfix',
  '1.0.99999999999999999999-5',
];

describe('A version', () => {
  for (const label of STABLE) it(`is stable as ${label}`, () => assert.equal(isStable(label), true));
  for (const label of UNSTABLE) it(`is not stable as ${label}`, () => assert.equal(isStable(label), false));

  it('keeps its stability with +build appended', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STABLE, ...UNSTABLE),
        fc.stringMatching(/^[A-Za-z0-9.-]{0,9}$/),
        (label, build) => {
          assert.equal(isStable(`${label}+${build}`), isStable(label));
        },
      ),
    );
  });
});

describe('The kind of a version', () => {
  for (const [kind, labels] of [
    ['release', ['1.0', 'v2', '20240115', '1.0.post1', '1234567']],
    ['pre-release', ['1.0rc1', '2.x', '20240115b1', '1.0.0-abc1234']],
    ['branch', ['main', 'effaced', 'feature-x', 'abc123', 'abc123x', 'ABC1234']],
    ['commit', ['abc1234', '1a2b3c4', 'd34db33fd34db33fd34db33fd34db33fd34db33f']],
  ] as const) {
    for (const label of labels) it(`is ${kind} for ${label}`, () => assert.equal(versionKind(label), kind));
  }
});
