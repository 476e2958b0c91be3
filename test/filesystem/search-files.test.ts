import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { tick } from '../support/tick.js';
import { makeDirectory, openStore, removeAll } from './crash-world.js';

describe('A docs directory of several processes', () => {
  let docs: string;
  let stores: FilesystemDocStore[];
  beforeEach(async () => {
    docs = await makeDirectory();
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await removeAll([docs]);
  });

  const open = async () => {
    // Leases of the same millisecond would be in the order of their random digits.
    await tick();
    const store = await openStore(docs);
    stores.push(store);
    return store;
  };

  it('elects one process for exclusive work: the oldest, then the next oldest', async () => {
    const [one, other] = [await open(), await open()];
    assert.deepEqual([await one.isFirst(), await other.isFirst()], [true, false]);
    await one.close();
    assert.equal(await other.isFirst(), true);
  });

  it('has derived files at the configured path', async () => {
    const store = await open();
    assert.equal(store.derivedPath('r-1', 'search.db'), `${docs}/.lectern/derived/r-1/search.db`);
    assert.throws(() => store.derivedPath('../r', 'search.db'), RangeError);
    assert.throws(() => store.derivedPath('r-1', '../search.db'), RangeError);
  });
});
