import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareLabels } from '../../src/domain/index.js';
import { anyString } from '../support/any-string.js';
import { anyLabel } from './labels.js';

const RUNS = { numRuns: 5000 };

/** Labels that share a beginning, so that all the later rules of the order are reached. */
const relatives = fc
  .tuple(
    anyLabel,
    fc.array(fc.constantFrom('', '-1', '.0', 'rc1', '-rc.1', '.dev1', '.post1', '+1', '-abc', '.x'), {
      minLength: 3,
      maxLength: 3,
    }),
  )
  .map(([label, ends]) => ends.map((end) => label + end));
const three = fc.oneof(fc.array(anyLabel, { minLength: 3, maxLength: 3 }), relatives);

describe('The total order of versions', () => {
  it('distinguishes any two different labels, and equates a label with itself', () => {
    fc.assert(
      fc.property(three, ([a = '', b = '']) => {
        assert.equal(compareLabels(a, b) === 0, a === b);
        assert.equal(compareLabels(a, a), 0);
      }),
      RUNS,
    );
  });

  it('is antisymmetric', () => {
    fc.assert(
      fc.property(three, ([a = '', b = '']) => {
        assert.equal(Math.sign(compareLabels(a, b)) + Math.sign(compareLabels(b, a)), 0);
      }),
      RUNS,
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(three, (labels) => {
        for (const a of labels) {
          for (const b of labels) {
            for (const c of labels) {
              if (compareLabels(a, b) < 0 && compareLabels(b, c) < 0)
                assert.ok(compareLabels(a, c) < 0, `${a} < ${b} < ${c}`);
            }
          }
        }
      }),
      RUNS,
    );
  });

  it('sorts a set of labels to one result from any input order', () => {
    const twice = fc
      .uniqueArray(anyLabel, { minLength: 2, maxLength: 12 })
      .chain((labels) =>
        fc.tuple(fc.constant(labels), fc.shuffledSubarray(labels, { minLength: labels.length })),
      );
    fc.assert(
      fc.property(twice, ([labels, shuffled]) => {
        assert.deepEqual([...labels].sort(compareLabels), [...shuffled].sort(compareLabels));
      }),
    );
  });

  it('accepts labels of any text, and returns a number', () => {
    fc.assert(
      fc.property(anyString(), fc.string(), (a, b) => {
        assert.ok(Number.isFinite(compareLabels(a, b)));
      }),
    );
  });

  it("caches labels without mixing them up, even beyond the cache's size", () => {
    const labels = Array.from({ length: 25_000 }, (_, index) => `1.${index}`);
    assert.deepEqual([...labels].reverse().sort(compareLabels), labels);
  });
});
