import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCopiedInName } from '../../src/domain/index.js';

describe('A directory that someone copied in', () => {
  for (const name of [
    'by-hand-2.1',
    'lib-2-1.0.0',
    'tool-v2',
    'a-1',
    'a-b-v1.0.0-rc.1',
    'log4j-2.x',
    'a-2024-01-15',
  ]) {
    it(`is a version named ${name}: a number, or v and a number, follows a hyphen`, () => {
      assert.equal(isCopiedInName(name), true);
    });
  }

  for (const name of ['my-notes', 'tool-main', 'lost+found', 'assets', '1.0', 'a-vnext', 'tool-V2']) {
    it(`is left alone under the name ${name}: no hyphen with a number after it`, () => {
      assert.equal(isCopiedInName(name), false);
    });
  }

  for (const name of [
    '.lectern',
    '.git-1.0',
    '.a-1.0',
    '..',
    '.',
    '',
    '-1.0',
    '_a-1.0',
    'a -1.0',
    'a-1.0 (copy)',
    'a-1.0~',
    'a-latest',
  ]) {
    it(`is left alone under the name '${name}': not a version's name at all`, () => {
      assert.equal(isCopiedInName(name), false);
    });
  }

  for (const name of ['lib-2-latest', 'a-1.0-docs.zip', 'a-1.0-LATEST']) {
    it(`is left alone under the name ${name}: an alias or an archive`, () => {
      assert.equal(isCopiedInName(name), false);
    });
  }
});
