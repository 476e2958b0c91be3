import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import JSZip from 'jszip';
import { unpacking } from '../zip/unpacking.js';

const zip = unpacking();

describe('a packed site of many files', () => {
  it('may hold more than the format counts without zip64', async () => {
    const place = await zip.place();
    const [site, archiveFile] = [join(place, 'site'), join(place, 'packed.zip')];
    const files = 0x10000;
    mkdirSync(site);
    for (let i = 0; i < files; i += 1) writeFileSync(join(site, `${i}`), '');
    await zip.archives.pack(site, archiveFile);
    const { files: packed } = await JSZip.loadAsync(await readFile(archiveFile));
    assert.equal(Object.keys(packed).length, files);
  });
});
