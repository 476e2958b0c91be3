import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigFileError, readConfigFile } from '../../src/node/config-file.js';

describe('Files that people write', () => {
  it('are read up to their maximum size, and refused beyond', async (t) => {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    t.after(() => rm(directory, { recursive: true }));
    const file = join(directory, 'rules.json');
    await writeFile(file, '{ "a": 1 }');
    assert.equal((await readConfigFile(file, 10)).toString(), '{ "a": 1 }');
    await assert.rejects(readConfigFile(file, 9), (error) => {
      assert.ok(error instanceof ConfigFileError);
      assert.deepEqual(error.faults, ['the file: larger than 9 bytes']);
      return true;
    });
  });

  it('cause a file system error with its code when missing', async () => {
    await assert.rejects(readConfigFile('/nowhere/rules.json', 9), { code: 'ENOENT' });
  });
});
