import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serverActor, tokenActor } from '../../src/domain/index.js';

const REPLACEMENT = { project: 'a', label: '1.0', projectExists: true, versionExists: true };

describe('An actor', () => {
  it('has the name and the rights of its token, and no others', () => {
    const { kind, name, policy } = tokenActor('ci', { projects: ['a'], allowDelete: true });
    assert.deepEqual([kind, name, policy.name], ['token', 'ci', 'ci']);
    assert.equal(policy.whyNotDelete('a'), undefined);
    assert.equal(policy.whyNotDelete('b')?.code, 'project_not_allowed');
    assert.equal(policy.whyNotUpload(REPLACEMENT)?.code, 'version_exists');
    assert.equal(tokenActor('plain').policy.whyNotDelete('a')?.code, 'delete_not_allowed');
  });

  it('may do everything as the server', () => {
    const { kind, name, policy } = serverActor('retention');
    assert.deepEqual([kind, name], ['server', 'retention']);
    assert.equal(policy.whyNotUpload(REPLACEMENT), undefined);
    assert.equal(policy.whyNotUpload({ ...REPLACEMENT, projectExists: false }), undefined);
    assert.equal(policy.whyNotDelete('a'), undefined);
    assert.equal(policy.whyNotRetain('a', { keepPerMinor: 1 }), undefined);
    assert.equal(policy.whyNotRestore(REPLACEMENT), undefined);
  });

  it("has only the restricted rights of a server's task", () => {
    const { kind, policy } = serverActor('import', {});
    assert.equal(kind, 'server');
    assert.equal(policy.whyNotUpload(REPLACEMENT)?.code, 'version_exists');
    assert.equal(policy.whyNotDelete('a')?.code, 'delete_not_allowed');
  });
});
