import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalogue, NO_SETTINGS, parseDirectoryName, whyNotPublished } from '../../src/domain/index.js';
import { makeVersion } from './make-version.js';

const idOf = (name: string) => parseDirectoryName(name) ?? assert.fail(name);

/** A project with the version 1.0, the alias `stable` for it, and a preview. */
const CATALOGUE = Catalogue.empty.changed({
  come: [makeVersion('a', '1.0'), makeVersion('a', 'pr-1', { directoryName: 'a~pr-1' })],
  settings: [['a', { ...NO_SETTINGS, aliases: new Map([['stable', '1.0']]) }]],
});
const codesOf = (name: string, isThere?: boolean) =>
  [false, true].map((replace) => whyNotPublished(CATALOGUE, idOf(name), replace, isThere)?.code);

describe('A version to be published', () => {
  it('may be new, or replace an existing one with permission', () => {
    assert.deepEqual(codesOf('a-2.0'), [undefined, undefined]);
    assert.deepEqual(codesOf('b-1.0'), [undefined, undefined]);
    assert.deepEqual(codesOf('a-1.0'), ['version_exists', undefined]);
    assert.deepEqual(codesOf('a~pr-1'), ['version_exists', undefined]);
  });

  it('may not take the name of an alias, unless the version exists already', () => {
    assert.deepEqual(codesOf('a-stable'), ['name_taken', 'name_taken']);
    assert.deepEqual(codesOf('a-stable', true), ['version_exists', undefined]);
    assert.deepEqual(codesOf('a~stable'), [undefined, undefined]);
  });

  it("exists or not by the store's word, which may be ahead of its catalogue", () => {
    assert.deepEqual(codesOf('a-2.0', true), ['version_exists', undefined]);
    assert.deepEqual(codesOf('a-1.0', false), [undefined, undefined]);
  });

  it("is refused without the token's name, unknown to a store", () => {
    assert.equal(whyNotPublished(CATALOGUE, idOf('a-1.0'), false)?.facts.token, '');
  });
});
