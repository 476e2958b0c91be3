import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { listFiles, MAX_LOOKED_AT } from '../../src/adapters/filesystem/reading/site-reader.js';

/** Files and directories that the lists of these tests look at. */
const LOOKED_AT = 200;

describe('The list of files of a site on disk', () => {
  let site: string;
  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'lectern-list-'));
  });
  afterEach(() => rm(site, { recursive: true, force: true }));

  async function write(...paths: readonly string[]): Promise<void> {
    for (const directory of new Set(paths.map((path) => dirname(join(site, path))))) {
      await mkdir(directory, { recursive: true });
    }
    for (let done = 0; done < paths.length; done += 500) {
      await Promise.all(paths.slice(done, done + 500).map((path) => writeFile(join(site, path), '')));
    }
  }
  const many = (count: number, prefix = '') =>
    Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);

  it('is sorted by whole paths, whatever the depth', async () => {
    const paths = [
      'a',
      'a+/x',
      'a-b',
      'a.html',
      'a.d/z',
      'a/x',
      'a0',
      'B',
      'b/c/d',
      'é',
      '\u{1f600}/x',
      '\uffee',
    ];
    await write(...paths.filter((path) => path !== 'a'));
    const sorted = paths.filter((path) => path !== 'a').sort();
    assert.deepEqual(await listFiles(site, 100), { paths: sorted, more: false });
    for (let max = 0; max < sorted.length; max++) {
      assert.deepEqual(await listFiles(site, max), { paths: sorted.slice(0, max), more: true });
    }
  });

  it('leaves out unserved files, and reads no unserved directory', async () => {
    await write('index', '.well-known/x', ...many(LOOKED_AT, '.git/objects/'));
    await symlink('index', join(site, 'link'));
    await symlink('.', join(site, 'around'));
    assert.deepEqual(await listFiles(site, 100, LOOKED_AT), {
      paths: ['.well-known/x', 'index'],
      more: false,
    });
  });

  it('covers 20,000 files and directories', () => assert.equal(MAX_LOOKED_AT, 20_000));

  it('is undefined for a missing directory, and empty for an empty one', async () => {
    assert.equal(await listFiles(join(site, 'nothing'), 1), undefined);
    assert.deepEqual(await listFiles(site, 1), { paths: [], more: false });
  });

  it('is complete at its limit, and reports more files beyond', async () => {
    const paths = many(LOOKED_AT);
    await write(...paths);
    assert.deepEqual(await listFiles(site, LOOKED_AT, LOOKED_AT), { paths, more: false });
    await write('x');
    const { paths: found, more } = (await listFiles(site, LOOKED_AT + 1, LOOKED_AT)) ?? assert.fail();
    assert.equal(found.length, LOOKED_AT);
    assert.equal(more, true);
  });

  it('stops before the first directory it did not read', async () => {
    await write('a/first', ...many(LOOKED_AT, 'b/'), 'c/last', 'z');
    const { paths, more } = (await listFiles(site, LOOKED_AT + 10, LOOKED_AT)) ?? assert.fail();
    assert.equal(more, true);
    assert.equal(paths[0], 'a/first');
    assert.ok(paths.length > LOOKED_AT - 10 && paths.slice(1).every((path) => path.startsWith('b/')));
  });

  it('is bounded in an endless tree of empty directories', async () => {
    await Promise.all(many(30).map((name) => mkdir(join(site, name))));
    for (const name of many(30))
      await Promise.all(many(20, `${name}/`).map((path) => mkdir(join(site, path))));
    assert.deepEqual(await listFiles(site, 10, LOOKED_AT), { paths: [], more: true });
  });
});
