import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Admission } from '../../src/adapters/http/admission.js';

const MOST = 1_000;
const NONE_FREE = 0;

/** After pages of these sizes were read, one after the other; their addresses are their places. */
function admissionAfter(sizes: readonly number[]): Admission {
  const admission = new Admission(MOST);
  for (const [at, bytes] of sizes.entries()) admission.note(String(at), bytes);
  return admission;
}

describe('A page is worth its memory', () => {
  it('not at its first reading, though there is room', () => {
    assert.equal(new Admission(MOST).isWorthKeeping('0', MOST), false);
  });

  it('at its second reading, when less has been read since than is kept', () => {
    assert.equal(admissionAfter([10, 500, 499]).isWorthKeeping('0', NONE_FREE), true);
  });

  it('not at its second reading, when as much has been read since as is kept', () => {
    assert.equal(admissionAfter([10, 500, 500]).isWorthKeeping('0', NONE_FREE), false);
  });

  it('at its second reading, however late, while there is room for it', () => {
    const admission = admissionAfter([10, 5_000, 5_000]);
    assert.equal(admission.isWorthKeeping('0', 10), true);
    assert.equal(admission.isWorthKeeping('0', 9), false);
  });

  it('never when it has no room even alone', () => {
    assert.equal(admissionAfter([MOST + 1]).isWorthKeeping('0', MOST), false);
    assert.equal(admissionAfter([MOST]).isWorthKeeping('0', MOST), true);
  });

  it('by its last reading, not by an earlier one', () => {
    const admission = admissionAfter([10, 1_000]);
    assert.equal(admission.isWorthKeeping('0', NONE_FREE), false);
    admission.note('0', 10);
    assert.equal(admission.isWorthKeeping('0', NONE_FREE), true);
  });

  it('never to whoever walks through more than is kept, again and again', () => {
    const page = fc.integer({ min: 1, max: MOST });
    const walk = fc.array(page, { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(walk, fc.integer({ min: 2, max: 4 }), (pages, rounds) => {
        // All the others are read between two readings of the same page, and are to be more than is kept.
        const others = pages.reduce((sum, bytes) => sum + bytes, 0) - Math.max(...pages);
        fc.pre(others >= MOST);
        const admission = new Admission(MOST);
        for (let round = 0; round < rounds; round += 1) {
          for (const [at, bytes] of pages.entries()) {
            assert.equal(admission.isWorthKeeping(String(at), NONE_FREE), false);
            admission.note(String(at), bytes);
          }
        }
      }),
    );
  });
});
