import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isCopiedInName,
  parseArchiveName,
  parseDirectoryName,
  Refusal,
  versionIdOf,
} from '../../src/domain/index.js';
import { assertEnds } from '../support/assert-ends.js';

const PIECES = [
  '-',
  '1-',
  '-1',
  '-v1',
  '-1.0.0',
  '1.',
  '-1.0.0-',
  'a',
  '\u{1f600}',
  '\ud800',
  '/',
  '\\',
  '-docs.zip',
  '0',
];
const LENGTH = 2 ** 20;

describe('A name of 1 MiB', () => {
  for (const piece of PIECES) {
    const name = piece.repeat(Math.ceil(LENGTH / piece.length));
    it(`is parsed in linear time when made of ${JSON.stringify(piece)}`, () => {
      assertEnds(() => {
        assert.throws(() => parseArchiveName(`${name}-docs.zip`), Refusal);
        assert.throws(() => parseArchiveName(`a-${name}`), Refusal);
        assert.equal(parseDirectoryName(name), undefined);
        assert.equal(isCopiedInName(`a-1.0${name}`), false);
        assert.equal(versionIdOf('a', name), undefined);
        assert.equal(versionIdOf(name, '1.0'), undefined);
      });
    });
  }

  it('is quoted only in part', () => {
    assert.throws(
      () => parseArchiveName('x'.repeat(LENGTH)),
      (error: unknown) => error instanceof Refusal && error.message.length < 600,
    );
  });
});
