import assert from 'node:assert/strict';
import { relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { idOf, versionOf } from '../contracts/doc-store.js';
import { makeDirectory, openStore, removeAll, site, upload, writeSite } from './crash-world.js';
import { FaultyDisk } from './faulty-disk.js';

/** A power cut can't be tested; that everything is synced before it counts can. */
describe('The order of fsync calls', () => {
  let docs: string;
  let faulty: FaultyDisk;
  let store: FilesystemDocStore;

  beforeEach(async () => {
    docs = await makeDirectory();
    faulty = new FaultyDisk();
    store = await openStore(docs, faulty);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  /** The journal of `work`, with paths below the docs directory and generations as `<id>`. */
  async function journalOf(work: () => Promise<unknown>): Promise<readonly string[]> {
    faulty.journal = [];
    await work();
    return faulty.journal.map((line) => {
      const [what = '', path = ''] = line.split(' ');
      const below = relative(docs, path).replaceAll(/[0-9a-z]+-[0-9a-f]{10}\.\d+/g, '<id>');
      return `${what} ${below === '' ? 'docs' : below}`;
    });
  }

  function assertInThisOrder(journal: readonly string[], expected: readonly string[]): void {
    const found = journal.filter((line) => expected.includes(line));
    assert.deepEqual(found, expected, journal.join('\n'));
  }

  it("flushes a new version's archive, record and parent directories, then its pointer", async () => {
    const journal = await journalOf(() => upload(store, 'a-1.0', site('one')));
    const rename = 'rename .lectern/sites/a-1.0/<id>';
    for (const path of ['<id>/archive.zip', '<id>/version.json', '<id>']) {
      assertInThisOrder(journal, [`sync .lectern/incoming/${path}`, rename]);
    }
    // These two at the same time, so in any order.
    for (const path of ['.lectern/sites', '.lectern/sites/a-1.0']) {
      assertInThisOrder(journal, [rename, `sync ${path}`, 'symlink a-1.0', 'sync docs']);
    }
  });

  it('flushes a replacement in the order of a new version', async () => {
    await upload(store, 'a-1.0', site('one'));
    const journal = await journalOf(() => upload(store, 'a-1.0', site('two')));
    const expected = [
      'sync .lectern/incoming/<id>',
      'sync .lectern/sites/a-1.0',
      'rename a-1.0',
      'sync docs',
    ];
    assertInThisOrder(journal, expected);
  });

  it('flushes the removed pointer of a deletion', async () => {
    await upload(store, 'a-1.0', site('one'));
    assertInThisOrder(await journalOf(() => store.remove(idOf('a-1.0'))), ['unlink a-1.0', 'sync docs']);
  });

  it('flushes the bytes of a built archive, then its name', async () => {
    await store.close();
    await writeSite(`${docs}/a-1.0`, site('hand'));
    store = await openStore(docs, faulty);
    const version = await versionOf(store, 'a-1.0');
    const journal = await journalOf(async () => (await store.openArchive(version)).close());
    assert.match(
      journal.join('\n'),
      /^sync \.lectern\/incoming\/<id>\.zip\nrename \.lectern\/built\/a-1\.0\/\w+\.zip$/,
    );
  });
});
