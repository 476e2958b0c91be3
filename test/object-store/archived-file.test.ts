import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  ArchivedFile,
  type ReadableArchive,
} from '../../src/adapters/object-store/archives/archived-file.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { NO_ARCHIVE_LIMITS, type StoredFile } from '../../src/application/index.js';
import { writeZip } from '../support/zip-writer.js';
import { temporaryDirectory } from './support.js';

// Half its size when deflated.
const LARGE = Buffer.from(randomBytes(750_000).toString('hex'));
const CONTENT: Readonly<Record<string, Buffer>> = {
  'small.html': Buffer.from('<p>small</p>'.repeat(50)),
  'stored.png': Buffer.from('not compressed'),
  'empty.txt': Buffer.alloc(0),
  'large.js': LARGE,
  'large.bin': LARGE,
};
const zips = new ZipArchives();
after(() => zips.close());

/**
 * Opens the files of an archive.
 * @param damage changes the bytes that the first read of each range gets
 * @param failure what every read ends with
 */
async function filesIn(t: TestContext, damage: (bytes: Buffer) => void = () => {}, failure?: Error) {
  const zip = writeZip(
    Object.entries(CONTENT).map(([name, content]) => ({
      name,
      content,
      method: /png|bin|txt/.test(name) ? 0 : 8,
    })),
  );
  const path = join(await temporaryDirectory(t), 'a.zip');
  await writeFile(path, zip);
  const { index } = await zips.index(path, NO_ARCHIVE_LIMITS);
  const damaged = Buffer.from(zip);
  damage(damaged);
  let isTrusted = true;
  let reads = 0;
  const archive: ReadableArchive = {
    revision: 'r1',
    publishedAt: new Date('2026-01-01'),
    async *read({ start, end }) {
      reads += 1;
      if (failure !== undefined) throw failure;
      const bytes = (isTrusted ? damaged : zip).subarray(start, end + 1);
      for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000);
    },
    distrust() {
      isTrusted = false;
    },
  };
  const open = (name: string) => new ArchivedFile(archive, index.find(name) ?? assert.fail(name));
  return { open, reads: () => reads, isTrusted: () => isTrusted };
}

async function bytesOf(file: Pick<StoredFile, 'stream'>, range?: { start: number; end: number }) {
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream(range)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe('A file in an archive', () => {
  it('is read whole and by ranges, whether it is small or large, stored or deflated', async (t) => {
    const { open } = await filesIn(t);
    for (const [name, content] of Object.entries(CONTENT)) {
      const file = open(name);
      assert.equal(file.size, content.length);
      assert.deepEqual(await bytesOf(file), content, name);
      if (content.length === 0) continue;
      for (const [start, end] of [
        [0, 0],
        [3, 9],
        [content.length - 1, content.length - 1],
        [0, content.length - 1],
        [content.length >> 1, (content.length >> 1) + 3],
      ] as const) {
        const part = await bytesOf(file, { start, end });
        assert.deepEqual(part, content.subarray(start, end + 1), `${name} ${start}-${end}`);
      }
    }
  });

  it('is sent as gzip without compression when the archive stores it deflated', async (t) => {
    const { open } = await filesIn(t);
    for (const name of ['small.html', 'large.js']) {
      const encoded = (await open(name).gzipped()) ?? assert.fail(name);
      const bytes = await bytesOf(encoded);
      assert.equal(bytes.length, encoded.size);
      assert.deepEqual(gunzipSync(bytes), CONTENT[name]);
    }
    assert.equal(await open('stored.png').gzipped(), undefined);
    assert.equal(await open('empty.txt').gzipped(), undefined);
  });

  it('is read again from the store when its bytes are damaged, before any of them is sent', async (t) => {
    const damage = (zip: Buffer) => {
      for (const name of ['small.html', 'stored.png']) {
        const at = zip.indexOf(name) + name.length + 5;
        zip[at] = (zip[at] ?? 0) ^ 0xff;
      }
    };
    for (const name of ['small.html', 'stored.png']) {
      const files = await filesIn(t, damage);
      assert.deepEqual(await bytesOf(files.open(name)), CONTENT[name]);
      assert.equal(files.isTrusted(), false);
      assert.equal(files.reads(), 2);
    }
  });

  for (const name of ['large.js', 'large.bin']) {
    for (const [what, range] of [
      ['whole', undefined],
      ['but for its first bytes', { start: 10, end: LARGE.length - 1 }],
    ] as const) {
      // Nothing of what is stored is read but the range.
      if (name === 'large.bin' && range !== undefined) continue;
      it(`fails before its last bytes when too large to verify in advance, and is read from the store the next time: ${name} ${what}`, async (t) => {
        const files = await filesIn(t, (zip) => {
          const at = zip.indexOf(name) + 100_000;
          zip[at] = (zip[at] ?? 0) ^ 0x10;
        });
        let received = 0;
        const reading = async () => {
          for await (const chunk of files.open(name).stream(range)) received += chunk.length;
        };
        await assert.rejects(reading(), { message: `'${name}' in the archive r1 does not match its CRC-32` });
        assert.ok(received < LARGE.length - (range?.start ?? 0), `${received} bytes`);
        assert.equal(files.isTrusted(), false);
        assert.deepEqual(await bytesOf(files.open(name), range), LARGE.subarray(range?.start));
      });
    }
  }

  it('is not treated as damaged when temporarily unreadable', async (t) => {
    const failure = Object.assign(new Error('the store is away'), { code: 'ECONNRESET' });
    const { open, reads, isTrusted } = await filesIn(t, undefined, failure);
    const names = ['small.html', 'stored.png', 'large.js', 'large.bin'];
    for (const name of names) await assert.rejects(bytesOf(open(name)), failure);
    assert.deepEqual([isTrusted(), reads()], [true, names.length]);
  });

  it('loses a gzip form that its reader rejects', async (t) => {
    const { open, isTrusted } = await filesIn(t);
    const encoded = (await open('large.js').gzipped()) ?? assert.fail();
    encoded.distrust();
    assert.equal(isTrusted(), false);
  });

  it('reads nothing before its bytes are requested', async (t) => {
    const { open, reads } = await filesIn(t);
    const file = open('large.js');
    assert.match(file.etag, /^r1-/);
    await file.gzipped();
    await file.close();
    assert.equal(reads(), 0);
  });
});
