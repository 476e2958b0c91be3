import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { writeZip, type ZipEntry } from '../support/zip-writer.js';
import { filesBelow, unpacking } from './unpacking.js';

const KiB = 1024;
const zip = unpacking();
/** Deflates to half of its size, so several reads for the largest. */
const text = (bytes: number) => randomBytes(bytes / 2).toString('hex');

const PAGES: Readonly<Record<string, string>> = {
  'index.html': text(32 * KiB),
  'guide/search.js': text(5 * KiB * KiB),
  '100% sure/ü.css': text(40 * KiB),
};
const REST: readonly ZipEntry[] = [
  { name: 'small.html', content: text(32 * KiB - 2) },
  { name: 'stored.html', content: text(40 * KiB), method: 0 },
  { name: 'noise.bin', content: randomBytes(40 * KiB) },
  { name: 'empty/', content: '' },
  { name: '__MACOSX/x', content: text(40 * KiB) },
];
const entries: readonly ZipEntry[] = [
  ...Object.entries(PAGES).map(([name, content]) => ({ name: `docs/${name}`, content })),
  ...REST.map((entry) => ({ ...entry, name: `${entry.name === '__MACOSX/x' ? '' : 'docs/'}${entry.name}` })),
];

async function unpacked(archive: Buffer) {
  const gzipDirectory = join(await zip.place(), 'gzip');
  const { within, siteDirectory, result } = await zip.unpack(archive, { gzipDirectory });
  return { archiveFile: join(within, 'archive.zip'), gzipDirectory, siteDirectory, result };
}

/** What verifying says after `change` was made to the compressed forms. */
async function differencesAfter(change: (gzipDirectory: string) => Promise<unknown>) {
  const { archiveFile, gzipDirectory, siteDirectory, result } = await unpacked(writeZip(entries));
  await result;
  await change(gzipDirectory);
  return zip.archives.verify(archiveFile, siteDirectory, 10, gzipDirectory);
}

describe('compressed forms as files', () => {
  it('are what the archive holds of larger files that deflate well, and of no others', async () => {
    const { gzipDirectory, siteDirectory, result } = await unpacked(writeZip(entries));
    assert.equal((await result).files, Object.keys(PAGES).length + 3);
    assert.deepEqual(
      Object.keys(await filesBelow(gzipDirectory)).sort(),
      Object.keys(PAGES)
        .map((path) => `${path}.gz`)
        .sort(),
    );
    for (const [path, content] of Object.entries(PAGES)) {
      const compressed = await readFile(join(gzipDirectory, `${path}.gz`));
      assert.ok(gunzipSync(compressed).equals(Buffer.from(content)), path);
      assert.ok(compressed.length < content.length, path);
      assert.equal(await readFile(join(siteDirectory, path), 'utf8'), content);
    }
  });

  it('are not made unless that is wanted', async () => {
    const { within, result } = await zip.unpack(writeZip(entries));
    await result;
    assert.deepEqual((await readdir(within)).sort(), ['archive.zip', 'site']);
  });

  it('go with the site when the archive is refused', async () => {
    const damaged = [...entries, { name: 'docs/last.html', content: 'last', crc32: 1 }];
    const { gzipDirectory, siteDirectory, result } = await unpacked(writeZip(damaged));
    await assert.rejects(result, { code: 'invalid_archive' });
    assert.deepEqual(await readdir(join(gzipDirectory, '..')), []);
    assert.deepEqual(await readdir(join(siteDirectory, '..')), ['archive.zip']);
  });

  it('are well when nothing has changed, and when some are missing', async () => {
    assert.deepEqual(await differencesAfter(async () => {}), []);
    assert.deepEqual(await differencesAfter((gzip) => rm(join(gzip, 'index.html.gz'))), []);
    assert.deepEqual(await differencesAfter((gzip) => rm(gzip, { recursive: true })), []);
  });

  for (const [what, path, change] of [
    ['cut', 'index.html.gz', (file: string) => truncate(file, 100)],
    ['empty', 'index.html.gz', (file: string) => truncate(file, 0)],
    ['filled with zeros', 'index.html.gz', async (file: string) => fillWithZeros(file)],
    ['too long', 'guide/search.js.gz', (file: string) => writeFile(file, 'x', { flag: 'a' })],
    ['of a file that has none', 'small.html.gz', (file: string) => writeFile(file, 'x')],
    ['of nothing', 'evil.html.gz', (file: string) => writeFile(file, 'x')],
  ] as const) {
    it(`are found when one is ${what}`, async () => {
      assert.deepEqual(await differencesAfter((gzip) => change(join(gzip, path))), [
        `the compressed form '${path}' is not what the archive holds`,
      ]);
    });
  }
});

async function fillWithZeros(file: string): Promise<void> {
  await writeFile(file, Buffer.alloc((await readFile(file)).length));
}
