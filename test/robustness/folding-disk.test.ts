import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Changes, DeleteVersion, UploadVersion } from '../../src/application/index.js';
import { archiveNameOf, Refusal, tokenActor } from '../../src/domain/index.js';
import { idOf, readPage } from '../contracts/doc-store.js';
import {
  archives,
  assertInOrder,
  buryLeases,
  makeDirectory,
  openStore,
  removeAll,
  site,
  writeSite,
} from '../filesystem/crash-world.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { skipUnless, succeeds } from '../support/needs.js';
import { ROOT } from '../support/root.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { unmount } from './mounts.js';

const PROGRAM = join(ROOT, 'test/robustness/folding-disk.py');
/** Debian's Python, for which Debian's packages are; another one may come first in PATH. */
const PYTHON = '/usr/bin/python3';
const hasPython = await succeeds(PYTHON, '-c', 'import fusepy');
const hasFuse = await access('/dev/fuse', constants.R_OK | constants.W_OK).then(
  () => true,
  () => false,
);
// Not every machine for CI gives a container this device, and nothing can be installed for it.
const needs = hasFuse
  ? skipUnless(hasPython, 'python3-fusepy is not installed')
  : { skip: 'there is no /dev/fuse for this user' };

const LIB = tokenActor('lib', { projects: ['lib'], allowOverwrite: true, allowDelete: true });
const ALL = tokenActor('all', { allowOverwrite: true, allowDelete: true });

describe('A directory on a file system that ignores case', needs, () => {
  let place: string;
  let docs: string;
  let disk: ChildProcess;
  let store: FilesystemDocStore;

  before(async () => {
    place = await makeDirectory();
    docs = join(place, 'mounted');
    await mkdir(docs);
  });
  beforeEach(async () => {
    const source = join(place, 'source');
    await mkdir(source);
    const { dev } = await stat(docs);
    disk = spawn(PYTHON, [PROGRAM, source, docs], { stdio: 'inherit' });
    await until(async () => (await stat(docs)).dev !== dev);
    store = await openStore(docs);
  });
  afterEach(async () => {
    const ended = once(disk, 'exit');
    await store.close();
    await unmount(docs);
    await ended;
    await rm(join(place, 'source'), { recursive: true });
  });
  after(async () => {
    await removeAll([place]);
    await archives.close();
  });

  const send = (name: string, text: string, actor = ALL, to = store) =>
    new UploadVersion(to, new Changes(to), archives).execute({
      actor,
      fileName: archiveNameOf(name),
      content: (async function* () {
        yield zipOf(site(text));
      })(),
    });

  async function assertNothingChanges(work: () => Promise<unknown>, code: string): Promise<void> {
    const before = await tree(docs);
    await assert.rejects(work, { name: 'Refusal', code });
    assert.deepEqual(await tree(docs), before);
  }

  /** A store that learns nothing of what others do after its start. */
  const openUnaware = () =>
    FilesystemDocStore.open(docs, { archives, readDocinfo: firstLineDocinfo, pollMs: 3_600_000 });

  const namesIn = (of: FilesystemDocStore) =>
    of.catalogue().projects.flatMap(({ versions }) => versions.map(({ directoryName }) => directoryName));

  const copyIn = (name: string) => writeSite(join(docs, name), site('hand'));

  async function afterACrash(): Promise<void> {
    const crashed = store;
    await buryLeases(docs);
    store = await openStore(docs);
    await crashed.close();
  }

  it('responds to both spellings', async () => {
    await send('Lib-1.0', 'one');
    assert.ok(existsSync(join(docs, 'lib-1.0/index.html')));
    assert.equal(store.foldsCase, true);
  });

  it('protects a project in one spelling from a token for another', async () => {
    await send('Lib-1.0', 'upper');
    for (const name of ['lib-1.0', 'lib-2.0']) {
      await assertNothingChanges(() => send(name, 'lower', LIB), 'project_not_allowed');
    }
    const remove = new DeleteVersion(store, new Changes(store));
    await assertNothingChanges(() => remove.remove(LIB, 'lib', '1.0'), 'project_not_found');
    assert.equal(await readPage(store, 'Lib-1.0', 'a/b.html'), 'upper b');
    await send('Lib-1.0', 'new');
    await afterACrash();
    await assertInOrder(docs, store, new Map([['Lib-1.0', [site('new')]]]));
  });

  it('keeps a copied-in directory from replacement by another spelling', async () => {
    await copyIn('Lib-1.0');
    await assertNothingChanges(() => send('lib-1.0', 'lower', LIB), 'project_not_allowed');
    await send('Lib-1.0', 'new');
    await store.close();
    store = await openStore(docs);
    await assertInOrder(docs, store, new Map([['Lib-1.0', [site('new')]]]));
  });

  it('refuses at the disk what a store does not know yet: another spelling', async () => {
    const other = await openUnaware();
    for (const by of [(name: string) => send(name, 'one'), copyIn]) {
      await by('Lib-1.0');
      for (const name of ['lib-1.0', 'lib-2.0']) {
        await assertNothingChanges(() => send(name, 'lower', LIB, other), 'project_not_allowed');
        assert.deepEqual(other.catalogue().projects, []);
      }
      await rm(join(docs, 'Lib-1.0'), { recursive: true });
      await until(async () => (await readdir(join(docs, '.lectern/public'))).length === 0);
    }
    await other.close();
  });

  for (const [what, upper, lower] of [
    ['two spellings of a version', '1.0', '1.0'],
    ['versions of two spellings of a project', '1.0', '2.0'],
  ] as const) {
    for (const processes of [1, 2]) {
      it(`publishes one of ${what} at once, by ${processes} of the processes`, async () => {
        const other = processes === 1 ? store : await openStore(docs);
        const published: string[] = [];
        for (let round = 0; round < 10; round++) {
          const names = [`Lib${round}-${upper}`, `lib${round}-${lower}`] as const;
          const results = await Promise.allSettled([
            send(names[0], names[0], ALL, store),
            send(names[1], names[1], ALL, other),
          ]);
          const winners = names.filter((_, index) => results[index]?.status === 'fulfilled');
          assert.equal(winners.length, 1);
          published.push(...winners);
          for (const result of results) {
            if (result.status === 'fulfilled') continue;
            assert.ok(result.reason instanceof Refusal, String(result.reason));
            assert.equal(result.reason.code, 'project_not_allowed', result.reason.message);
          }
        }
        if (other !== store) await other.close();
        await afterACrash();
        const versions = store.catalogue().projects.map(({ latest }) => latest.directoryName);
        assert.deepEqual(versions, published.sort());
        await assertInOrder(docs, store, new Map(versions.map((name) => [name, [site(name)]])));
      });
    }
  }

  it('accepts another spelling once the previous one is deleted and cleared', async () => {
    await send('Lib-1.0', 'upper');
    await store.remove(idOf('Lib-1.0'));
    await assertNothingChanges(() => send('lib-1.0', 'early'), 'unavailable');
    // Closing removes what would have gone a few seconds later.
    await store.close();
    store = await openStore(docs);
    await send('lib-1.0', 'lower');
    await store.close();
    store = await openStore(docs);
    await assertInOrder(docs, store, new Map([['lib-1.0', [site('lower')]]]));
    assert.deepEqual(await readdir(join(docs, '.lectern/sites')), ['lib-1.0']);
  });

  it('keeps another spelling from a deletion that comes too late', async () => {
    await send('Lib-1.0', 'upper');
    const late = await openUnaware();
    await store.remove(idOf('Lib-1.0'));
    await store.close();
    store = await openStore(docs);
    await send('lib-1.0', 'lower');
    assert.deepEqual(namesIn(late), ['Lib-1.0']);
    await assertNothingChanges(() => late.remove(idOf('Lib-1.0')), 'project_not_found');
    assert.deepEqual(namesIn(late), []);
    assert.equal(await readPage(store, 'lib-1.0', 'a/b.html'), 'lower b');
    await late.close();
  });

  it('keeps another spelling from a delayed removal after a replacement', async () => {
    await send('Lib-1.0', 'one');
    await send('Lib-1.0', 'two');
    for (const path of ['Lib-1.0', 'Lib-1.0-docs.zip', '.lectern/sites/Lib-1.0']) {
      await rm(join(docs, path), { recursive: true });
    }
    const other = await openStore(docs);
    await send('lib-1.0', 'lower', ALL, other);
    // Closing removes what would have gone a few seconds after the replacement.
    await store.close();
    store = other;
    assert.equal(await readPage(store, 'lib-1.0', 'a/b.html'), 'lower b');
    await afterACrash();
    await assertInOrder(docs, store, new Map([['lib-1.0', [site('lower')]]]));
  });

  it('lists a version whose symlink was renamed by hand once, in the new spelling', async () => {
    await send('Lib-1.0', 'one');
    await rename(join(docs, 'Lib-1.0'), join(docs, 'aside'));
    await rename(join(docs, 'aside'), join(docs, 'LIB-1.0'));
    await until(() => namesIn(store).join() === 'LIB-1.0');
  });

  it('keeps versions available while names change during a read', async () => {
    await send('Lib-1.0', 'one');
    // This file system does not say what kind of thing a name is, so that Node asks for each of them by its name.
    for (let round = 0; round < 400; round++) {
      const [from, to] = round % 2 === 0 ? ['other-1.0', 'other-2.0'] : ['other-2.0', 'other-1.0'];
      if (round === 0) await copyIn(from);
      await rename(join(docs, from), join(docs, to));
      assert.ok(namesIn(store).includes('Lib-1.0'));
    }
  });
});
