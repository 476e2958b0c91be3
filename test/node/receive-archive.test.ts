import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { receiveArchiveAt } from '../../src/node/receive-archive.js';

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('An archive that is received', () => {
  let home = '';
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-'));
  });
  after(() => rm(home, { recursive: true }));

  it('is written, counted and hashed, up to the exact limit', async () => {
    const path = join(home, 'a.zip');
    assert.deepEqual(await receiveArchiveAt(path, chunks('one', 'two'), 6), {
      size: 6,
      sha256: createHash('sha256').update('onetwo').digest('hex'),
    });
    assert.equal(await readFile(path, 'utf8'), 'onetwo');
  });

  it('is refused beyond the limit, before its next chunk is read', async () => {
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield Buffer.from('one');
      }
    }
    const path = join(home, 'b.zip');
    await assert.rejects(receiveArchiveAt(path, endless(), 5), { code: 'upload_too_large' });
    assert.equal(asked, 2);
    assert.equal(await readFile(path, 'utf8'), 'one');
  });

  it('never replaces a file', async () => {
    const path = join(home, 'c.zip');
    await writeFile(path, 'old');
    await assert.rejects(receiveArchiveAt(path, chunks('new'), 10), { code: 'EEXIST' });
    assert.equal(await readFile(path, 'utf8'), 'old');
  });
});
