import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { syncDirectory, syncFile } from '../../src/node/directories.js';

/** Opens as the system does, but for a sync that fails with a code. Tells how many of the files are still open. */
function disk(code: string) {
  let isOpen = 0;
  const opening: typeof open = async (...how) => {
    const handle = await open(...how);
    const close = handle.close.bind(handle);
    isOpen += 1;
    handle.sync = () => Promise.reject(Object.assign(new Error(code), { code }));
    handle.close = () => {
      isOpen -= 1;
      return close();
    };
    return handle;
  };
  return { open: opening, left: () => isOpen };
}

describe('A directory whose sync fails', () => {
  for (const code of ['EINVAL', 'ENOTSUP']) {
    it(`is ignored, and closed, when its file system cannot sync directories (${code})`, async () => {
      const network = disk(code);
      await syncDirectory(network, tmpdir());
      assert.equal(network.left(), 0);
      await assert.rejects(syncFile(network, tmpdir()), { code });
      assert.equal(network.left(), 0);
    });
  }

  it('is an error, and closed, when the disk fails', async () => {
    const failing = disk('EIO');
    await assert.rejects(syncDirectory(failing, tmpdir()), { code: 'EIO' });
    assert.equal(failing.left(), 0);
  });
});
