import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readServeOptions } from '../../src/adapters/cli/options/serve-options.js';
import { StartError } from '../../src/adapters/cli/start-error.js';

describe('--search', () => {
  it('is latest, all or off, and latest by default', () => {
    assert.equal(readServeOptions({ docs: 'd' }, {}).search, 'latest');
    assert.equal(readServeOptions({ docs: 'd', search: 'all' }, {}).search, 'all');
    assert.equal(readServeOptions({ docs: 'd' }, { LECTERN_SEARCH: 'off' }).search, 'off');
  });

  it('refuses anything else', () => {
    assert.throws(
      () => readServeOptions({ docs: 'd', search: 'some' }, {}),
      (error) =>
        error instanceof StartError && error.message === '--search: expected one of latest, all, off',
    );
  });
});
