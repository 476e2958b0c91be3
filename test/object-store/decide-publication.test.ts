import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RevisionRecord } from '../../src/adapters/object-store/log/commit.js';
import { decidePublication, StoreState } from '../../src/adapters/object-store/log/store-state.js';
import { Refusal } from '../../src/domain/index.js';

const recordOf = (version: string, revision: string): RevisionRecord => ({
  revision,
  project: 'a',
  version,
  publishedAt: new Date(0),
  archive: { size: 1, sha256: '' },
  site: { files: 1, bytes: 1 },
  token: 'ci',
});

/** Version 1.0 is published; r0 was replaced, r2 removed, and r3 removed and restored. */
const STATE = StoreState.of(
  5,
  'nonce',
  [recordOf('1.0', 'r1')],
  [
    { record: recordOf('1.0', 'r0'), at: 0, isReplaced: true },
    { record: recordOf('2.0', 'r2'), at: 0, isReplaced: false },
    { record: recordOf('2.0', 'r3'), at: 0, isReplaced: false, isRestored: true },
  ],
);

interface Case {
  readonly version: string;
  readonly replace?: boolean;
  readonly restores?: string;
  readonly isTooLate?: boolean;
}

function decisionOn({ version, replace = false, restores, isTooLate = false }: Case) {
  const record = recordOf(version, 'r9');
  const options = { replace, ...(restores === undefined ? {} : { restores }) };
  const decision = decidePublication(STATE, record, options, isTooLate);
  if (decision instanceof Refusal) return decision.code;
  const { record: published, ...change } = decision;
  assert.equal(published, record);
  return change;
}

describe('The decision on the commit of a publication', () => {
  it('publishes a new version, and replaces one with permission', () => {
    assert.deepEqual(decisionOn({ version: '2.0' }), { kind: 'publish' });
    assert.deepEqual(decisionOn({ version: '1.0', replace: true }), { kind: 'publish', replaces: 'r1' });
    assert.equal(decisionOn({ version: '1.0' }), 'version_exists');
  });

  it('restores a removed publication, in place of another one with permission', () => {
    assert.deepEqual(decisionOn({ version: '2.0', restores: 'r2' }), { kind: 'publish', restores: 'r2' });
    assert.deepEqual(decisionOn({ version: '1.0', restores: 'r0', replace: true }), {
      kind: 'publish',
      replaces: 'r1',
      restores: 'r0',
    });
    assert.equal(decisionOn({ version: '1.0', restores: 'r0' }), 'version_exists');
  });

  it('refuses to restore a publication purged or restored meanwhile, before any other check', () => {
    for (const restores of ['r3', 'purged', 'r1']) {
      assert.equal(decisionOn({ version: '1.0', restores, isTooLate: true }), 'version_not_found');
    }
  });

  it('refuses a publication whose objects may have been swept, before it checks the version', () => {
    assert.equal(decisionOn({ version: '2.0', isTooLate: true }), 'unavailable');
    assert.equal(decisionOn({ version: '1.0', isTooLate: true }), 'unavailable');
  });
});
