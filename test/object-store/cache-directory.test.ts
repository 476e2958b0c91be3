import assert from 'node:assert/strict';
import { chmod, chown, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { publish, readPage } from '../contracts/doc-store.js';
import { skipUnless } from '../support/needs.js';
import { until } from '../support/until.js';
import { openNode, temporaryDirectory } from './support.js';

/** The user `nobody` of Linux. */
const NOBODY = 65_534;
const needsRoot = skipUnless(process.getuid?.() === 0, 'only root gives files away');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

/** A cache that a node has left in a directory that every user may write into. */
async function usedCache(t: TestContext): Promise<string> {
  const everybodys = await temporaryDirectory(t);
  await chmod(everybodys, 0o1777);
  const cacheDirectory = join(everybodys, 'cache');
  const { store } = await openNode(t, new Map(), { cacheDirectory });
  await store.close();
  return cacheDirectory;
}

describe('The directory of a cache', () => {
  it('is created for this user alone, with its subdirectories', async (t) => {
    const cacheDirectory = await usedCache(t);
    assert.deepEqual((await readdir(cacheDirectory)).sort(), ['archives', 'incoming']);
    for (const name of ['', 'archives', 'incoming']) {
      assert.equal(await modeOf(join(cacheDirectory, name)), 0o700, name);
    }
    // As the one of a release that did not say how.
    await chmod(join(cacheDirectory, 'archives'), 0o755);
    await openNode(t, new Map(), { cacheDirectory });
  });

  for (const name of ['', 'archives', 'incoming']) {
    const which = name === '' ? 'one' : `one whose ${name}`;
    for (const [what, mode] of [
      ['its group', 0o770],
      ['everybody', 0o1777],
    ] as const) {
      it(`is refused, unchanged, when ${which} is writable by ${what}, with a remedy`, async (t) => {
        const cacheDirectory = await usedCache(t);
        const directory = join(cacheDirectory, name);
        await chmod(directory, mode);
        await assert.rejects(openNode(t, new Map(), { cacheDirectory }), {
          message: `the cache directory ${directory} can be written by other users; run chmod go-w ${directory}, or use another`,
        });
        assert.equal(await modeOf(directory), mode & 0o777);
        await chmod(directory, mode & ~0o022);
        await openNode(t, new Map(), { cacheDirectory });
      });
    }

    it(`is refused when ${which} belongs to another user`, needsRoot, async (t) => {
      const cacheDirectory = await usedCache(t);
      await chown(join(cacheDirectory, name), NOBODY, NOBODY);
      await assert.rejects(
        openNode(t, new Map(), { cacheDirectory }),
        /belongs to another user; use one of your own/,
      );
    });

    it(`is refused when ${which} belongs to root, for a server that is not root`, needsRoot, async (t) => {
      const cacheDirectory = await usedCache(t);
      for (const each of ['', 'archives', 'incoming'])
        await chown(join(cacheDirectory, each), NOBODY, NOBODY);
      await chown(join(cacheDirectory, name), 0, 0);
      await chmod(join(cacheDirectory, name), 0o755);
      const opening = asNobody(() => openNode(t, new Map(), { cacheDirectory }));
      await assert.rejects(opening, /belongs to another user/);
    });

    it(`is refused when ${which} is a symlink, also to a directory of this user, and with a trailing slash`, async (t) => {
      const cacheDirectory = await usedCache(t);
      const own = await temporaryDirectory(t);
      const parent = await temporaryDirectory(t);
      const linked = join(parent, 'cache');
      if (name === '') await symlink(cacheDirectory, linked);
      else {
        await mkdir(linked, { mode: 0o700 });
        await symlink(own, join(linked, name));
      }
      await assert.rejects(
        openNode(t, new Map(), { cacheDirectory: `${linked}/` }),
        /is a symbolic link; use a directory/,
      );
      assert.deepEqual(await readdir(own), []);
    });
  }

  it('drops archives of another user, who could change them at any time', needsRoot, async (t) => {
    const cacheDirectory = await temporaryDirectory(t);
    const bucket = new Map();
    const first = await openNode(t, bucket, { cacheDirectory });
    await publish(first.store, 'a-1.0', { 'index.html': 'a page' });
    await first.store.close();
    const [name = ''] = await readdir(join(cacheDirectory, 'archives'));
    const file = join(cacheDirectory, 'archives', name);
    await chown(file, NOBODY, NOBODY);
    const { store } = await openNode(t, bucket, { cacheDirectory });
    assert.equal(store.status().cache.bytes, 0);
    for (let count = 0; count < 3; count++) await readPage(store, 'a-1.0', 'index.html');
    await until(async () => (await stat(file)).uid === process.getuid?.());
  });

  it('is refused when it is a file', async (t) => {
    const cacheDirectory = await usedCache(t);
    await writeFile(join(cacheDirectory, 'file'), '');
    await assert.rejects(openNode(t, new Map(), { cacheDirectory: join(cacheDirectory, 'file') }));
  });
});

/** Runs something with the rights of `nobody`. */
async function asNobody<Result>(work: () => Promise<Result>): Promise<Result> {
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
