import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ArchiveIndex } from '../../src/formats/index.js';
import '../support/long-runs.js';
import { anyString } from '../support/any-string.js';

const file = fc.record(
  {
    path: anyString(),
    offset: fc.maxSafeNat(),
    compressedSize: fc.maxSafeNat(),
    size: fc.maxSafeNat(),
    method: fc.constantFrom('stored' as const, 'deflated' as const),
    crc32: fc.nat(0xffffffff),
    charset: fc.constantFrom('KOI8-R', 'unknown'),
  },
  { noNullPrototype: true, requiredKeys: ['path', 'offset', 'compressedSize', 'size', 'method', 'crc32'] },
);
const files = fc.uniqueArray(file, { maxLength: 200, selector: ({ path }) => path });
const one = { path: 'a', offset: 1, compressedSize: 2, size: 3, method: 'deflated', crc32: 4 } as const;

describe('The index of an archive', () => {
  it('finds each file by its path after it was written and read, and lists all files in order', () => {
    fc.assert(
      fc.property(files, (expected) => {
        const read = ArchiveIndex.parse(ArchiveIndex.of(expected).toString());
        for (const file of expected) assert.deepEqual(read?.find(file.path), file);
        const sorted = expected.toSorted((a, b) => (a.path < b.path ? -1 : 1));
        assert.deepEqual(read?.files, sorted);
        assert.equal(read?.size, expected.length);
      }),
    );
  });

  it('returns nothing for a missing path', () => {
    for (const path of ['', 'a/', 'A', 'b', 'aa', '__proto__', 'length']) {
      assert.equal(ArchiveIndex.of([one]).find(path), undefined);
      assert.equal(ArchiveIndex.of([]).find(path), undefined);
    }
  });

  it('is invalid as soon as one character differs or is missing', () => {
    const whole = ArchiveIndex.of([one]).toString();
    for (let at = 0; at < whole.length; at += 1) {
      const other = String.fromCharCode(whole.charCodeAt(at) ^ 1);
      assert.equal(
        ArchiveIndex.parse(whole.slice(0, at) + other + whole.slice(at + 1)),
        undefined,
        `at ${at}`,
      );
      assert.equal(ArchiveIndex.parse(whole.slice(0, at)), undefined, `${at} characters`);
    }
    for (const text of ['\0'.repeat(whole.length), '\n', 'lectern-archive-index 2 0\n{}']) {
      assert.equal(ArchiveIndex.parse(text), undefined);
    }
    assert.deepEqual(ArchiveIndex.parse(whole)?.find('a'), one);
  });
});
