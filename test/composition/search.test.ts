import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { openSearch } from '../../src/composition/search.js';
import { Catalogue } from '../../src/domain/index.js';
import { makePreview, makeVersion } from '../domain/make-version.js';

describe('Search indexes in the temporary directory', () => {
  const { TMPDIR } = process.env;
  let temporary: string;
  before(async () => {
    temporary = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    process.env.TMPDIR = temporary;
  });
  after(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(temporary, { recursive: true, force: true });
  });

  it('stay for existing versions and previews, and are removed for all other versions', async () => {
    const docs = new MemoryDocStore();
    const there = [
      makeVersion('a', '1.0', { revision: 'r-1' }),
      makePreview('a', 'pr-1', { revision: 'r-2' }),
    ];
    docs.catalogue = () => Catalogue.of(there);
    const open = async () => {
      const search = await openSearch(
        { search: 'latest' },
        { name: '/docs', cacheDirectory: temporary },
        { docs },
        assert.fail,
      );
      await search?.keeper.close();
      await search?.index.close();
      const [home = ''] = await readdir(temporary);
      return join(temporary, home);
    };
    const home = await open();
    for (const revision of ['r-1', 'r-2', 'r-3']) await mkdir(join(home, revision));
    assert.equal(await open(), home);
    assert.deepEqual((await readdir(home)).sort(), ['r-1', 'r-2']);
  });
});
