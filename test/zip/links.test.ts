import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DEFAULT_ARCHIVE_LIMITS } from '../../src/application/index.js';
import { zipOf } from '../support/zip-writer.js';
import { unpacking } from './unpacking.js';

const TEXT = `<h1>Title</h1><p>${'word '.repeat(20)}</p>`;
const FILES = {
  'top/index.html': `<a href="old"><a href="gone.html"><a href="long.html#end"><a href="long.html#none">${TEXT}`,
  'top/long.html': `${TEXT.repeat(2_000)}<i id=end>`,
  'top/_redirects': '/old /long.html',
  'top/style.css': '<a href="none">',
};

describe('The links of a site in an archive', () => {
  const { archives, unpack, place } = unpacking();

  it('are checked during unpacking and during indexing, with the same result', async () => {
    const unpacked = (await (await unpack(zipOf(FILES), { readsLinks: true })).result).links;
    const archiveFile = join(await place(), 'archive.zip');
    await writeFile(archiveFile, zipOf(FILES));
    const { links } = await archives.index(archiveFile, DEFAULT_ARCHIVE_LIMITS, true);
    assert.deepEqual(links, unpacked);
    assert.deepEqual(
      links?.report.byPage.flatMap((page) => page.links.map(({ target }) => `${page.path} ${target}`)),
      ['index.html gone.html', 'index.html long.html#none'],
    );
    assert.deepEqual([links?.report.pages, links?.report.isCut], [2, false]);
  });

  it('are not read by default', async () => {
    assert.equal('links' in (await (await unpack(zipOf(FILES))).result), false);
  });
});
