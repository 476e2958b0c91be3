import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { makeTokensFile } from '../../src/node/new-tokens-file.js';

const TOKENS = { first: { token: 'secret' } };

describe('A new tokens file', () => {
  let place: string;
  let file: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-tokens-'));
    file = join(place, 'tokens.json');
  });
  afterEach(() => rm(place, { recursive: true }));

  const withoutLinks = (code: string) => ({
    link: () => Promise.reject(Object.assign(new Error(code), { code })),
  });

  for (const [name, disk] of [
    ['', undefined],
    [' on a file system without hard links', withoutLinks('EPERM')],
    [' on a file system that says so', withoutLinks('EOPNOTSUPP')],
  ] as const) {
    it(`is whole, and readable for its owner only${name}`, async () => {
      await makeTokensFile(file, TOKENS, disk);
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { tokens: TOKENS });
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.deepEqual(await readdir(place), ['tokens.json']);
    });

    it(`replaces nothing${name}`, async () => {
      await writeFile(file, 'mine');
      await assert.rejects(makeTokensFile(file, TOKENS, disk), { code: 'EEXIST' });
      assert.equal(await readFile(file, 'utf8'), 'mine');
      assert.deepEqual(await readdir(place), ['tokens.json']);
    });
  }

  it('is not made where the disk fails', async () => {
    await assert.rejects(makeTokensFile(file, TOKENS, withoutLinks('EIO')), { code: 'EIO' });
    assert.deepEqual(await readdir(place), []);
  });
});
