import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SiteLimits, type StoredFile, searchableSite } from '../../src/application/index.js';
import { ReusedMemory } from '../../src/application/search/searchable-site.js';
import type { SitePath, Version } from '../../src/domain/index.js';
import { readPage } from '../../src/formats/html/index.js';
import { makeVersion } from '../domain/make-version.js';

const BYTES = Buffer.from('<p>0123456789</p>');
const MUCH: SiteLimits = { bytes: 1_000_000, milliseconds: 1_000_000 };

/** A version of pages of 17 bytes; `opened` notes which were read. */
function siteOf(paths: readonly string[], opened: string[] = [], bytes = BYTES) {
  return {
    async listFiles() {
      return { paths, more: false };
    },
    async open(_: Version, path: SitePath) {
      opened.push(String(path));
      const file: StoredFile = {
        size: bytes.length,
        modifiedAt: new Date(0),
        etag: '',
        async *stream() {
          yield bytes;
        },
        async close() {},
      };
      return { kind: 'file' as const, file };
    },
  };
}
const pathsOf = async (pages: AsyncIterable<{ readonly path: string }>) => {
  const paths: string[] = [];
  for await (const { path } of pages) paths.push(path);
  return paths;
};

describe('The pages of a version that are read for an index', () => {
  const paths = ['a.html', 'b.html', 'c.html', 'd.html', 'a.html.db', 'a.html.pt-br', 'logo.svg'];
  const version = makeVersion('a', '1.0');

  it('include all pages of an ordinary version', async () => {
    const site = searchableSite(siteOf(paths), version, MUCH);
    assert.deepEqual(await pathsOf(site.pages()), ['a.html', 'b.html', 'c.html', 'd.html']);
    assert.equal(site.pagesLeftOut, 0);
  });

  it('stop at a byte limit, and count the remaining pages without opening them', async () => {
    const opened: string[] = [];
    const site = searchableSite(siteOf(paths, opened), version, { ...MUCH, bytes: BYTES.length + 1 });
    assert.deepEqual(await pathsOf(site.pages()), ['a.html', 'b.html']);
    assert.equal(site.pagesLeftOut, 2);
    assert.deepEqual(opened, ['a.html', 'b.html']);
  });

  it('are read far enough to tell that a page exceeds its limit', async () => {
    const cutOf = async (length: number) => {
      const site = searchableSite(siteOf(['a.html'], [], Buffer.alloc(length, 'x ')), version);
      for await (const { path, bytes } of site.pages()) return readPage(bytes, { path }).cut;
      return undefined;
    };
    assert.deepEqual([await cutOf(10_000_000), await cutOf(10_000_005)], [[], ['bytes']]);
  });

  it('stop at a time limit, however slowly the caller reads', async () => {
    let now = 5_000;
    const site = searchableSite(siteOf(paths), version, { ...MUCH, milliseconds: 100 }, () => now);
    const read: string[] = [];
    for await (const { path } of site.pages()) {
      read.push(path);
      now += 40;
    }
    assert.deepEqual(read, ['a.html', 'b.html', 'c.html']);
    assert.equal(site.pagesLeftOut, 1);
  });

  it('may be sampled first, outside of the limits', async () => {
    const site = searchableSite(siteOf(paths), version, { ...MUCH, bytes: BYTES.length });
    assert.equal((await pathsOf(site.sample())).length, 4);
    assert.equal(site.pagesLeftOut, 0);
    assert.deepEqual(await pathsOf(site.pages()), ['a.html']);
    assert.equal(site.pagesLeftOut, 3);
  });
});

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
async function* chunksOf(...chunks: readonly string[]) {
  const buffer = Buffer.alloc(200_000);
  for (const chunk of chunks) yield buffer.subarray(0, buffer.write(chunk));
}

describe('Memory that streams are read into', () => {
  it('holds one stream after another, whole or up to a limit', async () => {
    const memory = new ReusedMemory();
    assert.equal(text(await memory.read(chunksOf('one, ', 'two'), 100)), 'one, two');
    assert.equal(text(await memory.read(chunksOf('three'), 100)), 'three');
    assert.equal(text(await memory.read(chunksOf(), 100)), '');
    assert.equal(text(await memory.read(chunksOf('four', 'five'), 6)), 'fourfi');
  });

  it('grows for a stream longer than all before', async () => {
    const memory = new ReusedMemory();
    const [a, b] = ['a'.repeat(60_000), 'b'.repeat(150_000)];
    assert.equal(text(await memory.read(chunksOf(a, b, a), 1_000_000)), a + b + a);
    assert.equal(text(await memory.read(chunksOf(a, b, a), 100_000)), (a + b).slice(0, 100_000));
  });

  it('is reused while it suffices', async () => {
    const memory = new ReusedMemory();
    const first = await memory.read(chunksOf('first'), 100);
    const second = await memory.read(chunksOf('second'), 100);
    assert.equal(first.buffer, second.buffer);
  });

  it('closes a stream at the limit', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.from('more');
      } finally {
        isClosed = true;
      }
    }
    assert.equal(text(await new ReusedMemory().read(endless(), 10)), 'moremoremo');
    assert.ok(isClosed);
  });
});
