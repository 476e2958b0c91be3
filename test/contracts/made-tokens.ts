import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DocStore } from '../../src/application/index.js';
import { fullNameOf, type MadeToken, refuse } from '../../src/domain/index.js';
import { until } from '../support/until.js';
import type { DocStoreSubject } from './subjects.js';

/** A token with everything that one can have. */
const FULL: MadeToken = {
  maker: 'team a',
  name: 'ci',
  sha256: 'a'.repeat(64),
  given: {
    projects: ['a', 'payments-*'],
    read: ['handbook'],
    allowOverwrite: true,
    allowDelete: true,
    existingProjectsOnly: true,
    allowManage: true,
    previewsOnly: true,
    allowTokens: false,
    expiresAt: new Date('2099-06-30T12:00:00.000Z'),
  },
  description: 'Größen',
  madeAt: new Date('2027-01-02T03:04:05.678Z'),
  usedOn: '2027-01-03',
};

/** Token without any optional field. */
const BARE: MadeToken = {
  maker: '__proto__',
  name: 'constructor',
  sha256: 'b'.repeat(64),
  given: {
    allowOverwrite: false,
    allowDelete: false,
    existingProjectsOnly: false,
    allowManage: false,
    previewsOnly: false,
    allowTokens: false,
  },
  madeAt: new Date('2027-01-02T03:04:05.678Z'),
};

const bare = (name: string): MadeToken => ({ ...BARE, name });

/** Contract suite of a store for the tokens that others have made, a test for each sentence. */
export function madeTokensContract(name: string, open: () => Promise<DocStoreSubject>): void {
  describe(`${name} keeps the promises of a store of made tokens`, () => {
    let subject: DocStoreSubject;
    let store: DocStore;
    beforeEach(async () => {
      subject = await open();
      store = subject.store;
    });
    afterEach(async () => subject.dispose());

    const namesIn = async (each: DocStore) => (await each.madeTokens()).map(fullNameOf).sort();

    it('starts without tokens', async () => {
      assert.deepEqual(await store.madeTokens(), []);
    });

    it('stores tokens with all their fields', async () => {
      await store.changeMadeTokens((tokens) => [...tokens, FULL, BARE]);
      assert.deepEqual(await store.madeTokens(), [FULL, BARE]);
      assert.deepEqual(await (await subject.another()).madeTokens(), [FULL, BARE]);
    });

    it('changes and removes single tokens', async () => {
      await store.changeMadeTokens(() => [FULL, BARE, bare('other')]);
      await store.changeMadeTokens((tokens) =>
        tokens.flatMap((token) => {
          if (token.name === 'other') return [];
          return token.name === 'ci' ? [{ ...token, usedOn: '2027-02-03' }] : [token];
        }),
      );
      const expected = [{ ...FULL, usedOn: '2027-02-03' }, BARE];
      assert.deepEqual(await store.madeTokens(), expected);
      assert.deepEqual(await (await subject.another()).madeTokens(), expected);
    });

    it('keeps tokens unchanged when a decision refuses, or changes nothing', async () => {
      await store.changeMadeTokens(() => [FULL]);
      const refusal = refuse.tokenNameTaken('team a/ci');
      const decide = () => {
        throw refusal;
      };
      await assert.rejects(store.changeMadeTokens(decide), { code: 'name_taken' });
      await store.changeMadeTokens((tokens) => tokens);
      assert.deepEqual(await store.madeTokens(), [FULL]);
    });

    it('notifies another store over the same data of a change', async () => {
      const another = await subject.another();
      await store.changeMadeTokens(() => [FULL, BARE]);
      await until(async () => (await namesIn(another)).length === 2);
      await another.changeMadeTokens((tokens) => tokens.filter(({ name }) => name !== 'ci'));
      assert.deepEqual(await namesIn(another), [fullNameOf(BARE)]);
      await until(async () => (await namesIn(store)).length === 1);
    });

    it('loses no token when several processes add tokens at once', async () => {
      const stores = [store, await subject.another()];
      const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
      const add = (each: string, index: number) =>
        stores[index % 2]?.changeMadeTokens((tokens) => [...tokens, bare(each)]);
      await Promise.all(names.map(add));
      const expected = names.map((each) => fullNameOf(bare(each))).sort();
      for (const each of [...stores, await subject.another()]) {
        await until(async () => (await namesIn(each)).length === names.length);
        assert.deepEqual(await namesIn(each), expected);
      }
    });

    it('hides tokens from the catalogue and its listeners', async () => {
      const changes: unknown[] = [];
      store.subscribe((change) => changes.push(change));
      const before = store.catalogue();
      await store.changeMadeTokens(() => [FULL]);
      assert.equal(store.catalogue(), before);
      assert.deepEqual(changes, []);
    });
  });
}
