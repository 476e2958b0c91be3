import assert from 'node:assert/strict';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Refusal } from '../../src/domain/index.js';
import { zipOf } from '../support/zip-writer.js';
import { unpacking } from './unpacking.js';

const zip = unpacking();

/** A site and its archive, after `change` was made to the site. */
async function differencesAfter(change: (site: string) => Promise<unknown>, most?: number) {
  const archive = zipOf({
    'docs/index.html': 'home',
    'docs/a/b.html': 'b'.repeat(1000),
    'docs/empty/': '',
    '__MACOSX/x': 'x',
  });
  const { within, siteDirectory, result } = await zip.unpack(archive);
  await result;
  await change(siteDirectory);
  return zip.archives.verify(join(within, 'archive.zip'), siteDirectory, most);
}

describe('Verifying a site against its archive', () => {
  it('finds nothing in an intact site', async () => {
    assert.deepEqual(await differencesAfter(async () => {}), []);
  });

  it('finds a truncated file', async () => {
    const differences = await differencesAfter((site) => truncate(join(site, 'a/b.html'), 10));
    assert.deepEqual(differences, ["'a/b.html' has 10 bytes instead of 1000"]);
  });

  it('finds a file with changed content', async () => {
    const differences = await differencesAfter((site) => writeFile(join(site, 'index.html'), 'evil'));
    assert.deepEqual(differences, ["'index.html' has different content"]);
  });

  it('finds a missing file', async () => {
    assert.deepEqual(await differencesAfter((site) => rm(join(site, 'a'), { recursive: true })), [
      "'a/b.html' is missing",
    ]);
  });

  it('finds an added file', async () => {
    const differences = await differencesAfter((site) => writeFile(join(site, 'a/evil.html'), ''));
    assert.deepEqual(differences, ["'a/evil.html' is not in the archive"]);
  });

  it('finds a file that became a directory or a symlink', async () => {
    const differences = await differencesAfter(async (site) => {
      await rm(join(site, 'index.html'));
      await mkdir(join(site, 'index.html'));
      await rm(join(site, 'a/b.html'));
      await symlink('../index.html', join(site, 'a/b.html'));
    });
    assert.deepEqual(differences, ["'index.html' is not a file", "'a/b.html' is not a file"]);
  });

  it('finds every file missing when the site is missing', async () => {
    const differences = await differencesAfter((site) => rm(site, { recursive: true }));
    assert.deepEqual(differences, ["'index.html' is missing", "'a/b.html' is missing"]);
  });

  it('stops at the requested number of differences', async () => {
    assert.equal((await differencesAfter((site) => rm(site, { recursive: true }), 1)).length, 1);
  });

  it('refuses a damaged archive', async () => {
    const place = await zip.place();
    await writeFile(join(place, 'a.zip'), 'no zip');
    await assert.rejects(zip.archives.verify(join(place, 'a.zip'), place), Refusal);
  });
});
