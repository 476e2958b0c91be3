import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRemovedName, removedName } from '../../src/adapters/filesystem/removed/removed-versions.js';

describe('The name of a kept version', () => {
  it("is parsed back, whatever the version's name", () => {
    for (const directoryName of ['a-1.0', 'a-b-1.0.zip', 'x.deleted.y-2.json', 'a-1.0.replaced.a-1', 'Ä-1']) {
      for (const isReplaced of [true, false]) {
        const removed = {
          name: 'mwsa1234-0123456789.12',
          removedAt: new Date(1_800_000_000_123),
          isReplaced,
          directoryName,
        };
        for (const part of ['zip', 'json', 'site'] as const) {
          assert.deepEqual(parseRemovedName(`${removedName(removed)}.${part}`), { removed, part });
        }
      }
    }
  });

  it('fits a file name for the longest version and the longest-running server', () => {
    const removed = {
      name: 'mwsa1234-0123456789.1000000000',
      removedAt: new Date(1_800_000_000_123),
      isReplaced: true,
    };
    const directoryName = `${'p'.repeat(100)}-${'1'.repeat(100)}`;
    assert.ok(`${removedName({ ...removed, directoryName })}.json`.length <= 255);
  });

  it('is undefined for a foreign file', () => {
    for (const name of [
      '',
      'note.txt',
      '.zip',
      'a.b.c.d.zip',
      'x.1.z.moved.a-1.0.zip',
      'x.1.z.deleted.a-1.0.tar',
    ]) {
      assert.equal(parseRemovedName(name), undefined, name);
    }
  });
});
