import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readServeOptions } from '../../src/adapters/cli/options/serve-options.js';
import { StartError } from '../../src/adapters/cli/start-error.js';

describe('--search', () => {
  it('is latest, all or off, by default latest', () => {
    assert.equal(readServeOptions({ docs: 'd' }, {}).search, 'latest');
    assert.equal(readServeOptions({ docs: 'd', search: 'all' }, {}).search, 'all');
    assert.equal(readServeOptions({ docs: 'd' }, { LECTERN_SEARCH: 'off' }).search, 'off');
  });

  it('refuses any other value', () => {
    assert.throws(
      () => readServeOptions({ docs: 'd', search: 'some' }, {}),
      (error) =>
        error instanceof StartError && error.message === '--search: expected one of latest, all, off',
    );
  });
});
