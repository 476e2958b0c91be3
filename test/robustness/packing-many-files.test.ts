import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { archives, makeDirectory, removeAll } from '../filesystem/crash-world.js';
import { skipUnless, succeeds } from '../support/needs.js';

const needsUnzip = skipUnless(await succeeds('unzip', '-v'), 'unzip is not installed');

describe('A packed site of many files', () => {
  it('may hold more files than the format counts without zip64', needsUnzip, async (t) => {
    const place = await makeDirectory();
    t.after(() => removeAll([place]));
    const [site, archiveFile] = [join(place, 'site'), join(place, 'packed.zip')];
    const files = 0x10000;
    mkdirSync(site);
    for (let i = 0; i < files; i += 1) writeFileSync(join(site, `${i}`), '');
    await archives.pack(site, archiveFile);
    // Reads all of it, and fails where the central directory and what lies before it differ.
    const { stdout } = await promisify(execFile)('unzip', ['-tqq', archiveFile]);
    assert.equal(stdout, '');
    const names = await promisify(execFile)('unzip', ['-Z1', archiveFile], { maxBuffer: 8 * files });
    assert.equal(new Set(names.stdout.trimEnd().split('\n')).size, files);
    await archives.close();
  });
});
