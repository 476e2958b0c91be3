import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { runAgain } from '../support/spawned-server.js';

async function place(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a server whose object store cannot be reached: one that gets that far ends with exit code 3. */
function start(cache: string) {
  return runAgain([
    '--store',
    's3://bucket',
    '--store-endpoint',
    'http://127.0.0.1:9',
    '--cache-dir',
    cache,
    '--port',
    '0',
  ]);
}

describe('A server with --cache-dir', () => {
  it('ends before it listens when other users can write to the directory, with one line naming a remedy', async (t) => {
    const cache = await place(t);
    await chmod(cache, 0o777);
    const { code, stdout, stderr } = await start(cache);
    const line = `lectern: --cache-dir: the cache directory ${cache} can be written by other users; run chmod go-w ${cache}, or use another\n`;
    assert.deepEqual([code, stdout, stderr], [2, '', line]);
    assert.deepEqual(await readdir(cache), []);
  });

  it('ends before it listens when the directory is a symlink', async (t) => {
    const cache = await place(t);
    await mkdir(join(cache, 'real'), { mode: 0o700 });
    await symlink('real', join(cache, 'link'));
    const { code, stderr } = await start(join(cache, 'link'));
    const line = `lectern: --cache-dir: the cache directory ${join(cache, 'link')} is a symbolic link; use a directory of your own\n`;
    assert.deepEqual([code, stderr], [2, line]);
    assert.deepEqual(await readdir(join(cache, 'real')), []);
  });

  it('ends before it listens when the directory cannot be created', async () => {
    const { code, stderr } = await start('/dev/null/cache');
    assert.equal(code, 2);
    assert.match(stderr, /^lectern: --cache-dir: \/dev\/null\/cache: not a directory\n$/);
  });
});
