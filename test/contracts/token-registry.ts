import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TokenRegistry } from '../../src/application/index.js';
import type { TokenGrants } from '../../src/domain/index.js';

export type Tokens = readonly (TokenGrants & { readonly name: string; readonly secret: string })[];

const INTENT = { project: 'a', label: '1.0', projectExists: false, versionExists: false };

/** The promises of the port `TokenRegistry`, sentence by sentence. */
export function tokenRegistryContract(name: string, make: (tokens: Tokens) => TokenRegistry): void {
  describe(`${name} keeps the promises of a TokenRegistry`, () => {
    it('is configured, even with no token in it', () => {
      assert.equal(make([]).isConfigured, true);
      assert.equal(make([]).find('anything'), undefined);
    });

    it('finds a policy by its exact secret', () => {
      const registry = make([
        { name: 'ci', secret: 'secret-1', projects: ['a'] },
        { name: 'admin', secret: 'secret-2', allowDelete: true },
      ]);
      assert.equal(registry.find('secret-1')?.name, 'ci');
      assert.equal(registry.find('secret-2')?.name, 'admin');
      assert.equal(registry.find('secret-1')?.whyNotDelete('a')?.code, 'delete_not_allowed');
      assert.equal(registry.find('secret-2')?.whyNotDelete('a'), undefined);
    });

    it('lets a token change settings only where it is said so', () => {
      const registry = make([
        { name: 'ci', secret: 'secret-1', allowDelete: true, allowOverwrite: true },
        { name: 'docs', secret: 'secret-2', projects: ['a'], allowManage: true },
      ]);
      assert.equal(registry.find('secret-1')?.whyNotManage('a')?.code, 'manage_not_allowed');
      assert.equal(registry.find('secret-2')?.whyNotManage('a'), undefined);
      assert.equal(registry.find('secret-2')?.whyNotManage('b')?.code, 'project_not_allowed');
      assert.equal(registry.find('secret-2')?.whyNotDelete('a')?.code, 'delete_not_allowed');
    });

    it('compares case-sensitively and as a whole', () => {
      const registry = make([{ name: 'ci', secret: 'Secret' }]);
      for (const near of ['secret', 'SECRET', 'Secre', 'Secret ', ' Secret', '', 'Secret\0']) {
        assert.equal(registry.find(near), undefined, JSON.stringify(near));
      }
    });

    it('finds nothing under the names of tokens, nor under prototype names', () => {
      const registry = make([{ name: 'ci', secret: 'secret' }]);
      for (const secret of ['ci', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        assert.equal(registry.find(secret), undefined, secret);
      }
    });

    it('takes prototype names for tokens like any other', () => {
      const registry = make([
        { name: '__proto__', secret: 'one', projects: [] },
        { name: 'constructor', secret: 'two' },
      ]);
      assert.equal(registry.find('one')?.name, '__proto__');
      assert.equal(registry.find('one')?.whyNotUpload(INTENT)?.code, 'project_not_allowed');
      assert.equal(registry.find('two')?.name, 'constructor');
    });

    it('takes secrets with letters outside of ASCII', () => {
      assert.equal(make([{ name: 'ci', secret: 'schlüssel-鍵' }]).find('schlüssel-鍵')?.name, 'ci');
    });

    it('grants nothing beyond uploads of new versions unless it is said', () => {
      const policy = make([{ name: 'ci', secret: 'secret' }]).find('secret');
      assert.equal(policy?.whyNotUpload(INTENT), undefined);
      assert.equal(policy?.whyNotUpload({ ...INTENT, versionExists: true })?.code, 'version_exists');
      assert.equal(policy?.whyNotDelete('a')?.code, 'delete_not_allowed');
    });

    it('hands on every grant', () => {
      const grants = {
        allowOverwrite: true,
        allowDelete: true,
        existingProjectsOnly: true,
        projects: ['a', 'b'],
      };
      const policy = make([{ name: 'ci', secret: 'secret', ...grants }]).find('secret');
      assert.equal(policy?.whyNotUpload(INTENT)?.code, 'project_not_existing');
      assert.equal(policy?.whyNotUpload({ ...INTENT, projectExists: true, versionExists: true }), undefined);
      assert.equal(policy?.whyNotUpload({ ...INTENT, project: 'c' })?.code, 'project_not_allowed');
      assert.equal(policy?.whyNotDelete('b'), undefined);
    });
  });
}
