import assert from 'node:assert/strict';
import { readdir, rename, rm, stat, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { readPage } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import {
  archives,
  assertInOrder,
  buryLeases,
  makeDirectory,
  openStore,
  removeAll,
  site,
  upload,
  writeLease,
} from './crash-world.js';

const MINUTE = 60_000;

describe('A start after a power cut', () => {
  let docs: string;
  let reports: string[];
  const report = (message: string, fields: object) => reports.push(`${message} ${JSON.stringify(fields)}`);

  beforeEach(async () => {
    docs = await makeDirectory();
    reports = [];
    const store = await openStore(docs);
    for (const name of ['a-1.0', 'b-1.0']) await upload(store, name, site(name));
    await store.close();
  });
  afterEach(() => removeAll([docs]));

  const generation = async (name: string) => {
    const home = join(docs, '.lectern/sites', name);
    return join(home, (await readdir(home))[0] ?? '');
  };
  /** Turns the lease of the server that has ended into one that was cut off. */
  const cutOff = async () => {
    const [name = ''] = await readdir(join(docs, '.lectern/running'));
    await rename(
      join(docs, '.lectern/running', name),
      join(docs, '.lectern/running', name.replace('.ended', '')),
    );
    await buryLeases(docs);
  };
  const expected = new Map(['a-1.0', 'b-1.0'].map((name) => [name, [site(name)]]));

  const DAMAGES: readonly [title: string, damage: (file: string) => Promise<unknown>][] = [
    ['emptied', (file) => truncate(file, 0)],
    ['shortened', (file) => truncate(file, 5)],
    ['filled with zeros', async (file) => writeFile(file, Buffer.alloc((await stat(file)).size))],
    ['removed', (file) => unlink(file)],
  ];
  for (const [title, damage] of DAMAGES) {
    it(`restores a file that was ${title} from the archive, and reports it`, async () => {
      await damage(join(docs, 'a-1.0/a/b.html'));
      await cutOff();
      const store = await openStore(docs, undefined, report);
      await store.close();
      const again = await openStore(docs);
      await assertInOrder(docs, again, expected);
      await again.close();
      const restored = reports.filter((line) => line.startsWith('a published site differed'));
      assert.equal(restored.length, 1, reports.join('\n'));
      assert.match(restored[0] ?? '', /"a-1\.0".*a\/b\.html/);
    });
  }

  it('restores a whole lost site', async () => {
    await rm(join(await generation('a-1.0'), 'site'), { recursive: true });
    await cutOff();
    const store = await openStore(docs);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'a-1.0 b');
    await store.close();
  });

  it('checks only versions published shortly before', async () => {
    const old = new Date(Date.now() - 11 * MINUTE);
    await utimes(join(await generation('a-1.0'), 'version.json'), old, old);
    await cutOff();
    assert.deepEqual(await verifiedAtStart(docs), ['b-1.0']);
  });

  it('measures "shortly before" from the server\'s last sign of life', async () => {
    const old = new Date(Date.now() - 5 * 24 * 60 * MINUTE);
    for (const name of ['a-1.0', 'b-1.0'])
      await utimes(join(await generation(name), 'version.json'), old, old);
    await cutOff();
    const [lease = ''] = await readdir(join(docs, '.lectern/running'));
    await writeLease(docs, lease, {}, new Date(old.getTime() + 5 * MINUTE));
    assert.deepEqual(await verifiedAtStart(docs), ['a-1.0', 'b-1.0']);
  });

  it('checks recent versions after an orderly shutdown right before the power cut', async () => {
    const [lease = ''] = await readdir(join(docs, '.lectern/running'));
    assert.match(lease, /\.ended$/);
    await writeLease(docs, lease, { boot: 'before the power cut' }, new Date());
    assert.deepEqual(await verifiedAtStart(docs), ['a-1.0', 'b-1.0']);
    assert.deepEqual(await readdir(join(docs, '.lectern/running')), []);
  });

  it('checks nothing without a power cut since an orderly shutdown', async () => {
    assert.deepEqual(await verifiedAtStart(docs), []);
  });

  it('reports a site whose archive is damaged as well, serves all other sites, and retries at the next start', async () => {
    await truncate(join(docs, 'a-1.0/index.html'), 1);
    await truncate(join(await generation('a-1.0'), 'archive.zip'), 10);
    await cutOff();
    for (let start = 1; start <= 2; start++) {
      reports = [];
      const store = await openStore(docs, undefined, report);
      assert.equal(await readPage(store, 'b-1.0', 'a/b.html'), 'b-1.0 b');
      assert.ok(
        reports.some((line) => line.startsWith('recovery is incomplete')),
        reports.join('\n'),
      );
      await store.close();
      // The one that was cut off; what this server made of it had no effect.
      assert.equal((await readdir(join(docs, '.lectern/running'))).length, 1);
    }
  });

  it('restores a version with a lost record from the remaining files', async () => {
    await unlink(join(await generation('a-1.0'), 'version.json'));
    await truncate(join(docs, 'a-1.0/a/b.html'), 0);
    await cutOff();
    const store = await openStore(docs);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'a-1.0 b');
    await store.close();
  });
});

/** The versions whose sites are compared with their archives when a server starts. */
async function verifiedAtStart(docs: string): Promise<readonly string[]> {
  const verified: string[] = [];
  const spy: typeof archives.verify = async (archive) => {
    verified.push(archive.split('/').at(-3) ?? '');
    return [];
  };
  const store = await FilesystemDocStore.open(docs, {
    archives: { unpack: archives.unpack.bind(archives), verify: spy, pack: archives.pack.bind(archives) },
    readDocinfo: firstLineDocinfo,
  });
  await store.close();
  return verified.sort();
}
