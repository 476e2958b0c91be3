import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseByteRange } from '../../../src/adapters/http/response/negotiation.js';

const SIZE = 10;

describe('A Range header', () => {
  for (const [header, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=0-9', 0, 9],
    ['bytes=3-', 3, 9],
    ['bytes=9-', 9, 9],
    ['bytes=9-9', 9, 9],
    ['bytes=3-10', 3, 9],
    ['bytes=3-99999999999999999999', 3, 9],
    ['bytes=-1', 9, 9],
    ['bytes=-10', 0, 9],
    ['bytes=-11', 0, 9],
    [' BYTES=1-2 ', 1, 2],
  ] as const) {
    it(`selects the bytes ${start} to ${end} of ten: '${header}'`, () => {
      assert.deepEqual(parseByteRange(header, SIZE), { start, end });
    });
  }

  for (const [header, size] of [
    ['bytes=10-', SIZE],
    ['bytes=10-12', SIZE],
    ['bytes=-0', SIZE],
    ['bytes=0-', 0],
    ['bytes=-1', 0],
  ] as const) {
    it(`selects nothing of ${size} bytes: '${header}'`, () => {
      assert.equal(parseByteRange(header, size), 'unsatisfiable');
    });
  }

  for (const header of ['bytes=3-2', 'bytes=-', 'bytes=a-', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=1', '']) {
    it(`is ignored: '${header}'`, () => assert.equal(parseByteRange(header, SIZE), undefined));
  }
});
