import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideRemoval, type RemoveOptions } from '../../src/application/index.js';
import { makeVersion } from '../domain/make-version.js';

const VERSION = makeVersion('a', '1.0', { revision: 'r1' });

function kindsOf(cases: readonly (readonly [RemoveOptions, isThere: boolean, isKept: boolean])[]) {
  return cases.map(([options, isThere, isKept]) => {
    return decideRemoval(isThere ? VERSION : undefined, options, isKept).kind;
  });
}

describe('The decision on a removal', () => {
  it('removes the published version, whatever is kept of it', () => {
    for (const isKept of [false, true]) {
      for (const options of [{}, { revision: 'r1' }, { purge: false }, { purge: true }]) {
        assert.deepEqual(decideRemoval(VERSION, options, isKept), { kind: 'remove', version: VERSION });
      }
    }
  });

  it('refuses to remove a publication other than the expected one, or a missing one', () => {
    const kinds = kindsOf([
      [{ revision: 'r2' }, true, true],
      [{ revision: 'r1' }, false, true],
      [{}, false, true],
      [{ purge: false }, false, true],
      [{ purge: true }, false, false],
    ]);
    assert.deepEqual(kinds, ['refuse', 'refuse', 'refuse', 'refuse', 'refuse']);
  });

  it('purges the kept copies of an unpublished version on request', () => {
    assert.deepEqual(kindsOf([[{ purge: true }, false, true]]), ['purge']);
  });
});
