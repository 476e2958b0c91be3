import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Archives, DEFAULT_ARCHIVE_LIMITS, type UnpackRequest } from '../../src/application/index.js';
import { ArchiveIndex, type IndexedFile } from '../../src/formats/index.js';
import { filesBelow } from '../zip/unpacking.js';

type Files = Readonly<Record<string, string>>;

export interface ArchivesWorld {
  readonly archives: Archives;
  /** Bytes of an archive that these archives take for one of the files, or refuse where there are none. */
  readonly bytes: Uint8Array;
}

const FILES: Files = {
  'index.html': 'home',
  'guide/ü b.html': 'page '.repeat(10_000),
  'guide/deep/empty.txt': '',
};
const bytesOf = (files: Files) =>
  Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** The promises of the port `Archives`, sentence by sentence. */
export function archivesContract(name: string, make: (files: Files | undefined) => ArchivesWorld): void {
  describe(`${name} keeps the promises of Archives`, () => {
    let directory: string;
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'lectern-archives-'));
    });
    after(() => rm(directory, { recursive: true }));

    /** An archive in a directory of its own, in which nothing else may be left. */
    async function world(files: Files | undefined) {
      const { archives, bytes } = make(files);
      const place = await mkdtemp(join(directory, 'x-'));
      const archiveFile = join(place, 'archive');
      await writeFile(archiveFile, bytes);
      const request: UnpackRequest = {
        archiveFile,
        siteDirectory: join(place, 'site'),
        indexFile: join(place, 'index'),
        limits: DEFAULT_ARCHIVE_LIMITS,
      };
      return { archives, place, archiveFile, request };
    }

    it('unpacks all files of an archive, and returns their number and size', async () => {
      const { archives, request } = await world(FILES);
      archives.expect?.();
      const { facts, hasIndex } = await archives.unpack(request);
      assert.deepEqual(facts, { site: { files: 3, bytes: bytesOf(FILES) } });
      assert.equal(hasIndex, true);
      const expected = Object.entries(FILES).map(([path, text]) => [
        path,
        Buffer.from(text).toString('latin1'),
      ]);
      assert.deepEqual(await filesBelow(request.siteDirectory), Object.fromEntries(expected));
      await archives.close();
    });

    it('reports a missing index.html at the root', async () => {
      const { archives, request } = await world({ 'a.html': '', 'b/index.html': '' });
      assert.equal((await archives.unpack(request)).hasIndex, false);
      await archives.close();
    });

    it('indexes an archive as unpacking does, without leftovers, and finds each file by the index', async () => {
      const { archives, archiveFile, place, request } = await world(FILES);
      const { index } = await archives.index(archiveFile, DEFAULT_ARCHIVE_LIMITS);
      assert.deepEqual(await readdir(place), ['archive']);
      assert.deepEqual(
        index.files.map(({ path }) => path),
        Object.keys(FILES).sort(),
      );
      for (const [path, text] of Object.entries(FILES)) {
        const file = index.find(path) ?? assert.fail(path);
        assert.equal(file.size, Buffer.byteLength(text));
        assert.equal(file.crc32, crc32(text));
        assert.equal(await contentOf(archiveFile, file), text, path);
      }
      await archives.unpack(request);
      const written = await readText(String(request.indexFile));
      assert.deepEqual(ArchiveIndex.parse(written)?.files, index.files);
      await archives.close();
    });

    for (const [title, files, limits, code] of [
      ['is none', undefined, {}, 'invalid_archive'],
      ['has too many files', FILES, { maxFiles: 2 }, 'archive_too_large'],
      ['has too many bytes', FILES, { maxExtractedBytes: bytesOf(FILES) - 1 }, 'archive_too_large'],
    ] as const) {
      it(`refuses an archive that ${title} as a whole, and leaves nothing`, async () => {
        const { archives, archiveFile, place, request } = await world(files);
        const within = { ...DEFAULT_ARCHIVE_LIMITS, ...limits };
        await assert.rejects(archives.unpack({ ...request, limits: within }), { code });
        await assert.rejects(archives.index(archiveFile, within), { code });
        assert.deepEqual(await readdir(place), ['archive']);
        await archives.close();
      });
    }

    it('finds no difference in files that it has unpacked, and names every difference, up to a number', async () => {
      const { archives, archiveFile, request } = await world(FILES);
      await archives.unpack(request);
      const { siteDirectory } = request;
      assert.deepEqual(await archives.verify(archiveFile, siteDirectory), []);
      await writeFile(join(siteDirectory, 'index.html'), 'HOME');
      await rm(join(siteDirectory, 'guide/deep/empty.txt'));
      await writeFile(join(siteDirectory, 'more.html'), '');
      const differences = await archives.verify(archiveFile, siteDirectory);
      assert.equal(differences.length, 3, differences.join('\n'));
      for (const path of ['index.html', 'guide/deep/empty.txt', 'more.html'])
        assert.ok(
          differences.some((difference) => difference.includes(`'${path}'`)),
          path,
        );
      assert.equal((await archives.verify(archiveFile, siteDirectory, 1)).length, 1);
      await archives.close();
    });

    it('packs a directory into a new file, and never over an existing one', async () => {
      const { archives, place } = await world(FILES);
      const site = join(place, 'site');
      for (const [path, text] of Object.entries(FILES)) {
        await mkdir(dirname(join(site, path)), { recursive: true });
        await writeFile(join(site, path), text);
      }
      await archives.pack(site, join(place, 'packed'));
      assert.ok((await readText(join(place, 'packed'))).length > 0);
      await writeFile(join(place, 'kept'), 'kept');
      await assert.rejects(archives.pack(site, join(place, 'kept')), { code: 'EEXIST' });
      assert.equal(await readText(join(place, 'kept')), 'kept');
      await assert.rejects(archives.pack(join(place, 'none'), join(place, 'nothing')), { code: 'ENOENT' });
      assert.deepEqual((await readdir(place)).sort(), ['archive', 'kept', 'packed', 'site']);
      await archives.close();
    });

    it('can be closed twice', async () => {
      const { archives } = await world(FILES);
      await archives.close();
      await archives.close();
    });
  });
}

const readText = (file: string) => readFile(file, 'utf8');

/** Reads a file of an archive by nothing but its entry in the index. */
async function contentOf(
  archiveFile: string,
  { offset, compressedSize, method }: IndexedFile,
): Promise<string> {
  const handle = await open(archiveFile);
  try {
    const { buffer } = await handle.read(Buffer.alloc(compressedSize), 0, compressedSize, offset);
    return (method === 'deflated' ? inflateRawSync(buffer) : buffer).toString();
  } finally {
    await handle.close();
  }
}
