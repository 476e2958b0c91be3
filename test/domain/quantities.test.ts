import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sizeOf } from '../../src/domain/index.js';

it('A size has at most three digits, also where it is rounded', () => {
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
    [5_000 * KIB ** 4, '5000 TiB'],
  ] as const) {
    assert.equal(sizeOf(bytes), words, String(bytes));
  }
});
