import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DeflatedFiles } from '../../src/application/index.js';
import '../support/long-runs.js';

const file = fc.record({
  offset: fc.maxSafeNat(),
  length: fc.maxSafeNat(),
  size: fc.maxSafeNat(),
  crc32: fc.nat(0xffffffff),
});
const files = fc.dictionary(fc.string(), fc.option(file, { nil: undefined }), { maxKeys: 200 });

describe('What an archive holds deflated', () => {
  it('is found by path after it was written and read', () => {
    fc.assert(
      fc.property(files, (expected) => {
        const written = DeflatedFiles.of(new Map(Object.entries(expected))).bytes;
        const read = DeflatedFiles.from(Buffer.concat([Buffer.alloc(3), written]).subarray(3));
        for (const [path, file] of Object.entries(expected))
          assert.deepEqual(read?.find(path), file && { ...file });
      }),
    );
  });

  it('is not known of a file that stands in no archive', () => {
    const one = { offset: 1, length: 2, size: 3, crc32: 4 };
    assert.equal(DeflatedFiles.of(new Map([['a', one]])).find('b'), undefined);
    assert.equal(DeflatedFiles.of(new Map()).find('a'), undefined);
  });

  it('is nothing as soon as one byte differs, or is missing', () => {
    const one = { offset: 1, length: 2, size: 3, crc32: 4 };
    const whole = DeflatedFiles.of(new Map([['a', one]])).bytes;
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Uint8Array.from(whole, (byte, index) => (index === at ? byte ^ 0x40 : byte));
      assert.equal(DeflatedFiles.from(changed), undefined, `byte ${at}`);
      assert.equal(DeflatedFiles.from(whole.subarray(0, at)), undefined, `${at} bytes`);
    }
    assert.deepEqual(DeflatedFiles.from(whole)?.find('a'), one);
  });
});
