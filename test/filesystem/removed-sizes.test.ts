import assert from 'node:assert/strict';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { idOf } from '../contracts/doc-store.js';
import { until } from '../support/until.js';
import { makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';

const WEEK = 7 * 24 * 3_600_000;

describe('The size of kept versions', () => {
  let docs: string;
  let store: FilesystemDocStore;
  beforeEach(async () => {
    docs = await makeDirectory();
    store = await openStore(docs, undefined, undefined, WEEK);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  const removedBytes = async (project: string) => (await store.diskUse(project)).removed;

  /** Bytes of the files in `.lectern/removed` that begin a version's name so. */
  async function bytesOf(part: string): Promise<number> {
    const removed = join(docs, '.lectern/removed');
    const names = (await readdir(removed)).filter((name) => name.includes(part));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(removed, name))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  it('sums the files by project, whoever removes or purges', async () => {
    const other = await openStore(docs, undefined, undefined, WEEK);
    for (const name of ['a-1.0', 'a-2.0', 'a-b-1.0']) await upload(store, name, site(name));
    assert.equal(await removedBytes('a'), 0);
    await store.remove(idOf('a-1.0'));
    const first = await bytesOf('.a-1.0.');
    assert.ok(first > 0);
    assert.equal(await removedBytes('a'), first);
    await other.remove(idOf('a-2.0'));
    await other.remove(idOf('a-b-1.0'));
    assert.equal(await removedBytes('a'), first + (await bytesOf('.a-2.0.')));
    assert.equal(await removedBytes('a-b'), await bytesOf('.a-b-1.0.'));
    await other.remove(idOf('a-1.0'), { purge: true });
    assert.equal(await removedBytes('a'), await bytesOf('.a-2.0.'));
    await other.close();
  });

  it('counts no copied-in directories and no foreign files, and is zero without the directory', async () => {
    await writeSite(join(docs, 'a-1.0'), site('by hand'));
    await until(() => store.catalogue().version('a-1.0') !== undefined);
    assert.deepEqual(await store.diskUse('a'), { versions: 0, previews: 0, removed: 0 });
    await store.remove(idOf('a-1.0'));
    await writeFile(join(docs, '.lectern/removed/note.txt'), 'x'.repeat(100));
    assert.equal(await removedBytes('a'), 0);
    await rm(join(docs, '.lectern/removed'), { recursive: true });
    assert.equal(await removedBytes('a'), 0);
  });
});
