import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ConfigFileError, EditedElsewhere, editTokensFile } from '../../src/adapters/json/index.js';
import { openFilesBelow } from '../support/open-files.js';

const TEXT = '{"tokens": {"ci": {"token": "s"}}}';
const LONGER = '{"tokens": {"ci": {"token": "s"}, "b": {"token": "t"}}}';

describe('A change of a tokens file', () => {
  let place: string;
  let file: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-tokens-'));
    file = join(place, 'tokens.json');
    await writeFile(file, TEXT, { mode: 0o640 });
    await chmod(file, 0o640);
  });
  afterEach(async () => rm(place, { recursive: true }));

  it('replaces the file by a new one with the same mode', async () => {
    const before = await stat(file);
    await editTokensFile(file, () => LONGER);
    const after = await stat(file);
    assert.equal(await readFile(file, 'utf8'), LONGER);
    assert.notEqual(after.ino, before.ino);
    assert.equal(after.mode & 0o7777, 0o640);
    assert.deepEqual(await readdir(place), ['tokens.json']);
  });

  it('keeps the owner when root makes it', { skip: process.getuid?.() !== 0 }, async () => {
    execFileSync('chown', ['65534:65534', file]);
    await editTokensFile(file, () => LONGER);
    const { uid, gid } = await stat(file);
    assert.deepEqual([uid, gid], [65_534, 65_534]);
  });

  it('changes the target of a symlink, and keeps the symlink', async () => {
    const link = join(place, 'link');
    await symlink('tokens.json', link);
    await editTokensFile(link, () => LONGER);
    assert.equal(await readlink(link), 'tokens.json');
    assert.equal(await readFile(file, 'utf8'), LONGER);
  });

  for (const [what, edit, error] of [
    ['would be invalid afterwards', () => '{"tokens": {"ci": {"token": ""}}}', ConfigFileError],
    ['is refused', () => assert.fail('no'), assert.AssertionError],
  ] as const) {
    it(`is not made, and leaves nothing behind, when it ${what}`, async () => {
      await assert.rejects(editTokensFile(file, edit), error);
      assert.equal(await readFile(file, 'utf8'), TEXT);
      assert.deepEqual(await readdir(place), ['tokens.json']);
      if (process.platform === 'linux') assert.deepEqual(await openFilesBelow(place), []);
    });
  }

  it('is refused for an invalid file, a missing one, and one that is not a regular file', async () => {
    await writeFile(file, '{');
    await assert.rejects(
      editTokensFile(file, () => TEXT),
      ConfigFileError,
    );
    await assert.rejects(
      editTokensFile(join(place, 'missing'), () => TEXT),
      { code: 'ENOENT' },
    );
    const fifo = join(place, 'fifo');
    execFileSync('mkfifo', [fifo]);
    await mkdir(join(place, 'directory'));
    for (const other of [fifo, join(place, 'directory')]) {
      await assert.rejects(
        editTokensFile(other, () => TEXT),
        /not a regular file/,
      );
    }
    assert.equal(await readFile(file, 'utf8'), '{');
    assert.deepEqual((await readdir(place)).sort(), ['directory', 'fifo', 'tokens.json']);
  });

  it("is refused while another change is running, and keeps that change's file", async () => {
    await writeFile(`${file}.new`, 'half');
    await assert.rejects(
      editTokensFile(file, () => LONGER),
      (error) => error instanceof EditedElsewhere && error.message.includes(`${file}.new`),
    );
    assert.deepEqual([await readFile(file, 'utf8'), await readFile(`${file}.new`, 'utf8')], [TEXT, 'half']);
  });

  it('is not lost to a concurrent change', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
    const withName = (text: string, name: string) => {
      const { tokens } = JSON.parse(text);
      return JSON.stringify({ tokens: { ...tokens, [name]: { token: `secret of ${name}` } } });
    };
    const addUntilItIsDone = async (name: string): Promise<void> => {
      try {
        await editTokensFile(file, (text) => withName(text, name));
      } catch (error) {
        if (!(error instanceof EditedElsewhere)) throw error;
        return addUntilItIsDone(name);
      }
    };
    await Promise.all(names.map(addUntilItIsDone));
    const { tokens } = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(Object.keys(tokens).sort(), ['ci', ...names].sort());
  });
});
