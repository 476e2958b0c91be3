import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TokenRegistry } from '../../src/application/index.js';
import type { Actor } from '../../src/domain/index.js';
import type { MakeTokenRegistry } from './subjects.js';

/** Asks a registry for the holder of a secret. */
export function holderOf(registry: TokenRegistry, secret: string): Promise<Actor | undefined> {
  return registry.authenticate({ scheme: 'token', secret }, new Date());
}

const INTENT = { project: 'a', label: '1.0', projectExists: false, versionExists: false };

/**
 * Tests the promises of the port `TokenRegistry`, sentence by sentence, with node:test.
 * @param name of the registry, for the titles of the tests
 */
export function tokenRegistryContract(name: string, make: MakeTokenRegistry): void {
  describe(`${name} keeps the promises of a TokenRegistry`, () => {
    it('is configured, even without tokens', async () => {
      assert.equal((await make([])).isConfigured, true);
      assert.equal(await holderOf(await make([]), 'anything'), undefined);
    });

    it('finds the holder of a token by its exact secret', async () => {
      const registry = await make([
        { name: 'ci', secret: 'secret-1', projects: ['a'] },
        { name: 'admin', secret: 'secret-2', allowDelete: true },
      ]);
      const ci = await holderOf(registry, 'secret-1');
      const admin = await holderOf(registry, 'secret-2');
      assert.deepEqual([ci?.kind, ci?.name, admin?.kind, admin?.name], ['token', 'ci', 'token', 'admin']);
      assert.equal(ci?.policy.whyNotDelete('a')?.code, 'delete_not_allowed');
      assert.equal(admin?.policy.whyNotDelete('a'), undefined);
    });

    it('allows a token to change settings only where granted', async () => {
      const registry = await make([
        { name: 'ci', secret: 'secret-1', allowDelete: true, allowOverwrite: true },
        { name: 'docs', secret: 'secret-2', projects: ['a'], allowManage: true },
      ]);
      const ci = await holderOf(registry, 'secret-1');
      const docs = await holderOf(registry, 'secret-2');
      assert.equal(ci?.policy.whyNotManage('a')?.code, 'manage_not_allowed');
      assert.equal(docs?.policy.whyNotManage('a'), undefined);
      assert.equal(docs?.policy.whyNotManage('b')?.code, 'project_not_allowed');
      assert.equal(docs?.policy.whyNotDelete('a')?.code, 'delete_not_allowed');
    });

    it('returns that a token is for previews only', async () => {
      const registry = await make([{ name: 'ci', secret: 'secret', previewsOnly: true }]);
      const policy = (await holderOf(registry, 'secret'))?.policy;
      assert.equal(policy?.whyNotUpload(INTENT)?.code, 'version_not_allowed');
      assert.equal(policy?.whyNotUpload({ ...INTENT, isPreview: true }), undefined);
    });

    it('returns the projects that a token may read beside its own', async () => {
      const registry = await make([
        { name: 'reader', secret: 'secret-1', projects: [], read: ['handbook', 'payments-*'] },
        { name: 'team', secret: 'secret-2', projects: ['a'] },
        { name: 'all', secret: 'secret-3' },
      ]);
      const readable = async (secret: string) => {
        const policy = (await holderOf(registry, secret))?.policy;
        return ['a', 'handbook', 'payments-api', 'payments-'].filter((each) => policy?.mayRead(each));
      };
      assert.deepEqual(await readable('secret-1'), ['handbook', 'payments-api', 'payments-']);
      assert.deepEqual(await readable('secret-2'), ['a']);
      assert.deepEqual(await readable('secret-3'), ['a', 'handbook', 'payments-api', 'payments-']);
      const reader = (await holderOf(registry, 'secret-1'))?.policy;
      assert.equal(reader?.whyNotUpload({ ...INTENT, project: 'handbook' })?.code, 'project_not_allowed');
    });

    it('returns that a token may make other tokens', async () => {
      const registry = await make([
        { name: 'team', secret: 'secret-1', allowTokens: true },
        { name: 'ci', secret: 'secret-2' },
      ]);
      assert.equal((await holderOf(registry, 'secret-1'))?.policy.grants.allowTokens, true);
      assert.notEqual((await holderOf(registry, 'secret-2'))?.policy.grants.allowTokens, true);
    });

    it('returns the end of a token', async () => {
      const expiresAt = new Date('2027-06-30T12:00:00.000Z');
      const registry = await make([{ name: 'ci', secret: 'secret', expiresAt }]);
      const policy = (await holderOf(registry, 'secret'))?.policy;
      assert.deepEqual(policy?.grants.expiresAt, expiresAt);
    });

    it('knows the holders of all tokens, expired ones too', async () => {
      const expiresAt = new Date('2020-01-01T00:00:00.000Z');
      const registry = await make([
        { name: 'ci', secret: 'secret-1', projects: ['a'] },
        { name: '__proto__', secret: 'secret-2', expiresAt },
      ]);
      assert.deepEqual(
        registry.holders().map(({ name, policy }) => [name, policy.grants.expiresAt]),
        [
          ['ci', undefined],
          ['__proto__', expiresAt],
        ],
      );
      assert.deepEqual((await make([])).holders(), []);
    });

    it('compares case-sensitively and as a whole', async () => {
      const registry = await make([{ name: 'ci', secret: 'Secret' }]);
      for (const near of ['secret', 'SECRET', 'Secre', 'Secret ', ' Secret', '', 'Secret\0']) {
        assert.equal(await holderOf(registry, near), undefined, JSON.stringify(near));
      }
    });

    it('finds no holder of a token in a credential of another scheme', async () => {
      const registry = await make([{ name: 'ci', secret: 'secret' }]);
      assert.equal(
        await registry.authenticate({ scheme: 'bearer', secret: 'secret' }, new Date()),
        undefined,
      );
    });

    it('finds no holder under the names of tokens, nor under prototype names', async () => {
      const registry = await make([{ name: 'ci', secret: 'secret' }]);
      for (const secret of ['ci', '__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        assert.equal(await holderOf(registry, secret), undefined, secret);
      }
    });

    it('accepts prototype names as token names', async () => {
      const registry = await make([
        { name: '__proto__', secret: 'one', projects: [] },
        { name: 'constructor', secret: 'two' },
      ]);
      assert.equal((await holderOf(registry, 'one'))?.name, '__proto__');
      assert.equal(
        (await holderOf(registry, 'one'))?.policy.whyNotUpload(INTENT)?.code,
        'project_not_allowed',
      );
      assert.equal((await holderOf(registry, 'two'))?.name, 'constructor');
    });

    it('accepts secrets with non-ASCII letters', async () => {
      assert.equal(
        (await holderOf(await make([{ name: 'ci', secret: 'schlüssel-鍵' }]), 'schlüssel-鍵'))?.name,
        'ci',
      );
    });

    it('grants only uploads of new versions by default', async () => {
      const policy = (await holderOf(await make([{ name: 'ci', secret: 'secret' }]), 'secret'))?.policy;
      assert.equal(policy?.whyNotUpload(INTENT), undefined);
      assert.equal(policy?.whyNotUpload({ ...INTENT, versionExists: true })?.code, 'version_exists');
      assert.equal(policy?.whyNotDelete('a')?.code, 'delete_not_allowed');
    });

    it('returns every grant', async () => {
      const grants = {
        allowOverwrite: true,
        allowDelete: true,
        existingProjectsOnly: true,
        projects: ['a', 'b'],
      };
      const policy = (await holderOf(await make([{ name: 'ci', secret: 'secret', ...grants }]), 'secret'))
        ?.policy;
      assert.equal(policy?.whyNotUpload(INTENT)?.code, 'project_not_existing');
      assert.equal(policy?.whyNotUpload({ ...INTENT, projectExists: true, versionExists: true }), undefined);
      assert.equal(policy?.whyNotUpload({ ...INTENT, project: 'c' })?.code, 'project_not_allowed');
      assert.equal(policy?.whyNotDelete('b'), undefined);
    });
  });
}
