import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { help } from '../../src/adapters/zip/helper.js';
import { SharedWork } from '../../src/adapters/zip/shared-work.js';
import { unpack } from '../../src/adapters/zip/unpack.js';
import { DEFAULT_ARCHIVE_LIMITS as limits } from '../../src/application/index.js';
import { writeZip, type ZipEntry, zipOf } from '../support/zip-writer.js';
import { filesBelow, unpacking } from './unpacking.js';

const zip = unpacking();
const MiB = 1024 * 1024;
const COUNT = 600;
/** Deflates to half its size: the archive becomes larger than what one thread is left alone with. */
const noise = randomBytes(4_000).toString('hex');
const files = Object.fromEntries(
  Array.from({ length: COUNT }, (_, i) => [`docs/part-${i % 37}/${i}.html`, `${i} ${noise}`]),
);
const oneDamaged = (damaged: number): Buffer =>
  writeZip(
    Object.entries(files).map(([name, content], i): ZipEntry => {
      return i === damaged ? { name, content, crc32: 1 } : { name, content };
    }),
  );
const skip = availableParallelism() > 1 ? false : 'there is one processor only';

describe('an archive that two threads unpack', () => {
  it('becomes the same site as with one', { skip }, async () => {
    const { siteDirectory, result } = await zip.unpack(zipOf(files));
    const { files: count, bytes, hasIndex } = await result;
    const expected = Object.entries(files).map(([path, content]) => [path.slice('docs/'.length), content]);
    assert.deepEqual(await filesBelow(siteDirectory), Object.fromEntries(expected));
    assert.deepEqual([count, bytes, hasIndex], [COUNT, Object.values(files).join('').length, false]);
  });

  for (const [where, damaged] of [
    ['first', 0],
    ['middle', COUNT / 2],
    ['last', COUNT - 1],
  ] as const) {
    it(`is refused as a whole when its ${where} file is damaged, and nothing is left`, { skip }, async () => {
      const entry = Object.keys(files)[damaged] ?? '';
      await zip.refuses(oneDamaged(damaged), {
        message: `The archive was refused: entry '${entry}' does not match its CRC`,
        entry,
      });
    });
  }

  it('leaves a thread to the next upload as soon as there is one', { skip }, async () => {
    const parts = Array.from({ length: 40 }, (_, i) => [`${i}.bin`, Buffer.alloc(5 * MiB)] as const);
    const archive = zipOf({ 'noise.bin': randomBytes(2 * MiB), ...Object.fromEntries(parts) });
    const anyRatio = { ...limits, mostRatio: Number.POSITIVE_INFINITY };
    const large = await zip.unpack(archive, { limits: anyRatio });
    const small = await zip.unpack(zipOf({ 'index.html': 'home' }));
    await small.result;
    const written = (await readdir(large.siteDirectory)).length;
    assert.ok(written < parts.length / 2, `it waited for ${written} of ${parts.length} files`);
    assert.equal((await large.result).files, parts.length + 1);
  });
});

describe('a thread that helps', () => {
  /** One thread leads, and `helping` stands for the other one, in the same thread. */
  const together = async (archive: Buffer, helping: (line: Parameters<typeof help>[0]) => unknown) => {
    const place = await zip.place();
    const archiveFile = join(place, 'archive.zip');
    const siteDirectory = join(place, 'site');
    await writeFile(archiveFile, archive);
    const { port1, port2 } = new MessageChannel();
    const { memory } = new SharedWork();
    const deflatedFile = join(place, 'deflated.bin');
    const request = { archiveFile, siteDirectory, deflatedFile, limits };
    const site = unpack(request, { port: port1, memory });
    site.catch(() => {});
    await helping({ port: port2, memory });
    return { place, archiveFile, siteDirectory, site };
  };

  it('may come when all is done: it makes nothing, neither there nor where all was before', async () => {
    let come = () => {};
    const late = new Promise<void>((resolve) => {
      come = resolve;
    });
    let helped: Promise<void> | undefined;
    const { site, place } = await together(zipOf(files), (line) => {
      helped = late.then(() => help(line));
    });
    assert.equal((await site).files, COUNT);
    // As publishing does.
    await rename(place, `${place}-published`);
    const before = await stat(join(`${place}-published`, 'site'));
    come();
    await helped;
    assert.equal(existsSync(place), false);
    assert.deepEqual(await stat(join(`${place}-published`, 'site')), before);
  });

  it('that ends in the midst of its share makes the whole fail, and nothing is left', async () => {
    const { site, place } = await together(zipOf(files), ({ port, memory }) => {
      new SharedWork(memory).batches([...Array(COUNT).keys()], 'back', () => 1).next();
      port.close();
    });
    await assert.rejects(site, /helped to unpack ended before it was done/);
    assert.deepEqual(await readdir(place), ['archive.zip']);
  });

  it('tells what went wrong on its side', async () => {
    const { site, place } = await together(zipOf(files), ({ port, memory }) => {
      new SharedWork(memory).batches([...Array(COUNT).keys()], 'back', () => 1).next();
      port.postMessage({ refusal: { code: 'invalid_archive', message: 'damaged', facts: {} } });
      port.close();
    });
    await assert.rejects(site, { code: 'invalid_archive', message: 'damaged' });
    assert.deepEqual(await readdir(place), ['archive.zip']);
  });

  it('leaves while it waits for what there is to do, when somebody else needs the thread', async () => {
    const { port1, port2 } = new MessageChannel();
    const work = new SharedWork();
    const helped = help({ port: port2, memory: work.memory });
    work.leaveToFront();
    await helped;
    port1.close();
  });

  it('is let go when the archive is refused before anything is written', async () => {
    let helped: Promise<void> | undefined;
    const { site, siteDirectory } = await together(Buffer.from('no zip'), (line) => {
      helped = help(line);
    });
    await assert.rejects(site, { code: 'invalid_archive' });
    await helped;
    assert.equal(existsSync(siteDirectory), false);
  });
});
