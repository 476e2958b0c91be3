import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { BuiltArchives } from '../../src/adapters/filesystem/copied/built-archives.js';
import { nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import { makeVersion } from '../domain/make-version.js';

describe('The archive of a copied-in directory', () => {
  let site: string;
  let packed: number;
  let built: BuiltArchives;
  const version = makeVersion('hand', '1.0');

  const startWith = (fingerprintMs?: number) => {
    let names = 0;
    packed = 0;
    built = new BuiltArchives(
      nodeDisk,
      new Layout(join(site, 'nowhere')),
      () => `name.${++names}`,
      {
        pack: async (_, archive) => {
          packed += 1;
          await writeFile(archive, `archive ${packed}`);
        },
      },
      fingerprintMs,
    );
  };
  const etag = async () => {
    const file = await built.open(version, site);
    await file?.close();
    return file?.etag;
  };

  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'lectern-hand-'));
    await writeFile(join(site, 'index.html'), 'one');
  });
  afterEach(async () => {
    await built.close();
    await rm(site, { recursive: true, force: true });
  });

  it('is returned without reading the directory, as long as the last scan is recent', async () => {
    startWith(Number.POSITIVE_INFINITY);
    const first = await etag();
    await writeFile(join(site, 'more.html'), 'two');
    const all = await Promise.all(Array.from({ length: 50 }, etag));
    assert.deepEqual(new Set(all), new Set([first]));
    assert.equal(packed, 1);
  });

  it('is packed again when a later scan finds a change', async () => {
    startWith(0);
    const first = await etag();
    assert.equal(await etag(), first);
    assert.equal(packed, 1);
    await writeFile(join(site, 'more.html'), 'two');
    assert.notEqual(await etag(), first);
    assert.equal(packed, 2);
  });

  it('is missing once the directory is removed', async () => {
    startWith(0);
    await etag();
    await rm(site, { recursive: true });
    assert.equal(await etag(), undefined);
  });
});
