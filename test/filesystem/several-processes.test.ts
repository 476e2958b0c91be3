import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { findLeases, Lease } from '../../src/adapters/filesystem/housekeeping/lease.js';
import { thisProcess } from '../../src/adapters/filesystem/housekeeping/process-identity.js';
import { Recovery } from '../../src/adapters/filesystem/housekeeping/recovery.js';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import { toolsFor } from '../../src/adapters/filesystem/tools.js';
import { readPage, stageSite } from '../contracts/doc-store.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { until } from '../support/until.js';
import {
  archives,
  assertInOrder,
  copy,
  makeDirectory,
  openStore,
  removeAll,
  site,
  upload,
  writeLease,
  writeSite,
} from './crash-world.js';

const OTHER = 'other-0123456789';

describe('Several processes on one docs directory', () => {
  let docs: string;
  let store: FilesystemDocStore;
  let running: string;
  const incoming = () => join(docs, '.lectern/incoming', `${OTHER}.1`);

  beforeEach(async () => {
    docs = await makeDirectory();
    running = join(docs, '.lectern/running');
    store = await openStore(docs);
  });
  afterEach(async () => {
    await store.close();
    await removeAll([docs]);
  });

  /** Another process's lease, and something that it is just making. */
  async function other(facts: object): Promise<void> {
    const { ino } = await stat(running);
    await writeLease(docs, OTHER, { ...thisProcess(String(ino)), ...facts }, new Date());
    await mkdir(incoming());
  }

  async function startAnother(): Promise<void> {
    await (await openStore(docs)).close();
  }

  it('keep the unfinished files of a living process', async () => {
    const { staging, record } = await stageSite(store, site('one'));
    await startAnother();
    await store.publish(
      staging,
      { record, id: { project: 'a', label: '1.0', directoryName: 'a-1.0' } },
      { replace: false },
    );
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'one b');
  });

  it('sweep the unfinished files of a dead process', async () => {
    await other({ pid: 2 ** 30 });
    await startAnother();
    assert.equal(existsSync(incoming()), false);
    assert.equal((await readdir(running)).includes(OTHER), false);
  });

  it('sweep the unfinished files of a dead process whose number another process has now', async () => {
    await other({ pid: process.pid, started: '1' });
    await startAnother();
    assert.equal(existsSync(incoming()), false);
  });

  const UNKNOWN: readonly [title: string, facts: object][] = [
    ['on another machine', { host: 'elsewhere' }],
    ['in another container', { namespace: 'pid:[1]' }],
  ];
  for (const [title, facts] of UNKNOWN) {
    it(`declare a ${title} dead when it has not renewed its lease between two checks, whatever the clocks say`, async () => {
      await other(facts);
      const recovery = await recoveryOn(docs);
      for (const time of ['1980-01-01', '2100-01-01']) {
        assert.equal(await recovery.run(), true);
        assert.equal(existsSync(incoming()), true);
        await writeLease(docs, OTHER, {}, new Date(time));
      }
      assert.equal(await recovery.run(), true);
      assert.equal(existsSync(incoming()), true);
      assert.equal(await recovery.run(), false);
      assert.equal(existsSync(incoming()), false);
      assert.equal((await readdir(running)).includes(OTHER), false);
    });
  }

  it('rewrite a lease that was removed', async () => {
    const lease = await Lease.take(nodeDisk, running);
    await unlink(join(running, lease.id));
    await lease.renew();
    assert.equal(JSON.parse(await readlink(join(running, lease.id))).pid, process.pid);
    await lease.giveBack(true);
    assert.equal((await readdir(running)).includes(lease.id), false);
  });

  it('bound the age of a lease when the clock was set back or forward', async (t) => {
    const lease = await Lease.take(nodeDisk, running);
    const now = Date.now();
    const seen = async () => (await findLeases(running)).find(({ id }) => id === lease.id)?.lastSeenMs ?? 0;
    for (const [clock, most] of [
      [now + 1e9, now + MINUTE],
      [now - 1e9, now - 1e9 + MINUTE],
    ] as const) {
      t.mock.method(Date, 'now', () => clock);
      await lease.renew();
      t.mock.restoreAll();
      assert.ok((await seen()) <= most);
    }
    await lease.giveBack(true);
  });

  it('can be copied while running: the copy is complete, even of a version replaced meanwhile', async () => {
    await upload(store, 'a-1.0', site('old'));
    const taken = await makeDirectory();
    await cp(join(docs, '.lectern'), join(taken, '.lectern'), { recursive: true, verbatimSymlinks: true });
    await upload(store, 'a-1.0', site('new'));
    for (const name of ['a-1.0', 'a-1.0-docs.zip'])
      await symlink(await readlink(join(docs, name)), join(taken, name));
    const onCopy = await openStore(taken);
    await assertInOrder(taken, onCopy, new Map([['a-1.0', [site('old')]]]));
    await onCopy.close();
    await removeAll([taken]);
  });

  it('find nothing to do in a copy made at rest', async () => {
    await upload(store, 'a-1.0', site('old'));
    const taken = await copy(docs);
    const onCopy = await openStore(taken);
    await assertInOrder(taken, onCopy, new Map([['a-1.0', [site('old')]]]));
    await onCopy.close();
    await removeAll([taken]);
  });

  it('keep foreign files in the .lectern directories', async () => {
    const own = join(docs, '.lectern');
    for (const name of ['', 'sites', 'incoming', 'running', 'displaced', 'trash']) {
      await writeFile(join(own, name, 'README'), 'a note');
      await mkdir(join(own, name, 'lost+found'));
    }
    await other({ pid: 2 ** 30 });
    await startAnother();
    for (const name of ['', 'sites', 'incoming', 'running', 'displaced', 'trash']) {
      assert.ok(existsSync(join(own, name, 'README')), name);
    }
    await upload(store, 'a-1.0', site('one'));
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'one b');
  });

  it('build one archive of a copied-in directory, and share it', async () => {
    await writeSite(join(docs, 'a-1.0'), site('hand'));
    const second = await openStore(docs);
    for (const one of [store, second]) await until(() => one.catalogue().version('a-1.0') !== undefined);
    const build = async (from: FilesystemDocStore) => {
      const version = from.catalogue().version('a-1.0') ?? assert.fail();
      const file = await from.openArchive(version);
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.stream()) chunks.push(chunk);
      return Buffer.concat(chunks).subarray(0, 2).toString();
    };
    const built = await Promise.all([store, second, store, second].map(build));
    assert.deepEqual(built, ['PK', 'PK', 'PK', 'PK']);
    assert.equal((await readdir(join(docs, '.lectern/built/a-1.0'))).length, 1);
    await second.close();
  });

  it('keep a version that was replaced during the restoration of its site', async () => {
    await upload(store, 'a-1.0', site('old'));
    await truncate(join(docs, 'a-1.0/a/b.html'), 0);
    await other({ pid: 2 ** 30 });
    const unpack: typeof archives.unpack = async (request) => {
      const unpacked = await archives.unpack(request);
      await upload(store, 'a-1.0', site('new'));
      return unpacked;
    };
    const second = await FilesystemDocStore.open(docs, {
      archives: { unpack, verify: archives.verify.bind(archives), pack: archives.pack.bind(archives) },
      readDocinfo: firstLineDocinfo,
    });
    assert.equal(await readPage(second, 'a-1.0', 'a/b.html'), 'new b');
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
    await second.close();
  });

  it('never remove a generation that another process is about to publish, however slowly', async () => {
    await upload(store, 'a-1.0', site('old'));
    const layout = new Layout(docs);
    const lease = await Lease.take(nodeDisk, running);
    const tools = toolsFor(nodeDisk, layout, lease, { graceMs: 0 });
    const name = lease.nextName();
    // As far as another process gets before it moves the pointer.
    await symlink(layout.pointerTarget('a-1.0', name), layout.comingPointer(name));
    await writeSite(layout.generation('a-1.0', name).site, site('coming'));
    await upload(store, 'a-1.0', site('new'));
    tools.unused.generation('a-1.0', name);
    assert.equal(await tools.unused.close(), true);
    assert.ok(existsSync(layout.generation('a-1.0', name).site));
    await rm(layout.comingPointer(name));
    tools.unused.generation('a-1.0', name);
    assert.equal(await tools.unused.close(), true);
    assert.equal(existsSync(layout.generation('a-1.0', name).site), false);
    await lease.giveBack(true);
  });
});

const MINUTE = 60_000;

async function recoveryOn(docs: string): Promise<Recovery> {
  const layout = new Layout(docs);
  const lease = Lease.unwritten(nodeDisk);
  return new Recovery(toolsFor(nodeDisk, layout, lease, {}), archives);
}
