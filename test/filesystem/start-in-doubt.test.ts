import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  readdir,
  readFile,
  readlink,
  rename,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readPage } from '../contracts/doc-store.js';
import {
  buryLeases,
  copy,
  makeDirectory,
  openStore,
  removeAll,
  site,
  upload,
  writeSite,
} from './crash-world.js';

const NAMES = ['a-1.0', 'b-1.0', 'c-1.0', 'd-1.0', 'e-1.0'];

describe('A start after a crash, in doubt,', () => {
  let docs: string;
  let reports: string[];
  const report = (message: string, fields: { readonly err?: Error }) =>
    reports.push(`${message} ${JSON.stringify(fields)} ${fields.err?.message}`);

  beforeEach(async () => {
    docs = await makeDirectory();
    reports = [];
    const store = await openStore(docs);
    for (const name of NAMES) await upload(store, name, site(name));
    await store.close();
    const running = join(docs, '.lectern/running');
    for (const lease of await readdir(running)) {
      await rename(join(running, lease), join(running, lease.replace('.ended', '')));
    }
    await buryLeases(docs);
  });
  afterEach(() => removeAll([docs]));

  const start = async () => {
    const store = await openStore(docs, undefined, report);
    await store.close();
  };
  const generation = async (name: string) => {
    const home = join(docs, '.lectern/sites', name);
    return join(home, (await readdir(home))[0] ?? '');
  };

  it('deletes no version without a symlink when there are many, as during the unpacking of a backup', async () => {
    const aside = join(docs, '.lectern/aside');
    for (const name of NAMES.slice(0, 4)) await rename(join(docs, name), `${aside}-${name}`);
    await start();
    const told = reports.filter((line) => line.includes('have no link'));
    assert.equal(told.length, 1, reports.join('\n'));
    assert.match(told[0] ?? '', /"versions":4/);
    for (const name of NAMES.slice(0, 4)) await rename(`${aside}-${name}`, join(docs, name));
    const store = await openStore(docs);
    for (const name of NAMES) assert.equal(await readPage(store, name, 'a/b.html'), `${name} b`);
    await store.close();
  });

  it('deletes up to three versions without a symlink, leftovers of interrupted deletions, without a warning', async () => {
    for (const name of NAMES.slice(0, 3)) await unlink(join(docs, name));
    await start();
    assert.deepEqual(await readdir(join(docs, '.lectern/sites')), NAMES.slice(3));
    assert.doesNotMatch(reports.join('\n'), /have no link/);
  });

  it('deletes no archive of versions replaced by directories when there are many, as after a copy that followed symlinks', async () => {
    for (const name of NAMES) {
      await unlink(join(docs, name));
      await writeSite(join(docs, name), site(name));
    }
    await start();
    for (const name of NAMES) assert.ok(existsSync(join(await generation(name), 'archive.zip')), name);
  });

  it('deletes the leftovers of interrupted deletions, however many, when their versions are kept', async () => {
    const week = 7 * 24 * 60 * 60_000;
    const store = await openStore(docs, undefined, report, week);
    for (const version of [...store.catalogue().all()]) await store.remove(version);
    const crashed = await copy(docs);
    await store.close();
    await buryLeases(crashed);
    assert.equal((await readdir(join(crashed, '.lectern/sites'))).length, NAMES.length);
    const again = await openStore(crashed, undefined, report, week);
    assert.deepEqual(await readdir(join(crashed, '.lectern/sites')), []);
    assert.equal((await again.removed()).length, NAMES.length);
    await again.close();
    await removeAll([crashed]);
  });

  describe('A version that has lost its files', () => {
    const home = () => join(docs, '.lectern/sites/a-1.0');
    const pointer = () => readlink(join(docs, 'a-1.0'));
    const told = () => reports.filter((line) => line.startsWith('a version lost its files')).length;
    /** A copy of the generation with another time; cut: its archive is not as long as its record says. */
    const addGeneration = async (name: string, publishedAt: string, isCut: boolean) => {
      const added = join(home(), name);
      await cp(await generation('a-1.0'), added, { recursive: true });
      const record = JSON.parse(await readFile(join(added, 'version.json'), 'utf8'));
      await writeFile(join(added, 'version.json'), JSON.stringify({ ...record, publishedAt }));
      if (isCut) await truncate(join(added, 'archive.zip'), 10);
    };
    const lose = async () => {
      await unlink(join(docs, 'a-1.0'));
      await symlink('.lectern/sites/a-1.0/lost-0123456789.1/site', join(docs, 'a-1.0'));
    };

    it('gets its dangling pointer set to the newest complete generation, with a log line', async () => {
      const complete = relative(docs, await generation('a-1.0'));
      await addGeneration('zz-0123456789.1', '2020-01-01T00:00:00.000Z', false);
      await addGeneration('zz-0123456789.2', '2099-01-01T00:00:00.000Z', true);
      await lose();
      await start();
      assert.equal(await pointer(), `${complete}/site`);
      assert.equal(told(), 1, reports.join('\n'));
    });

    it('gets its dangling pointer set to no incomplete generation, and none is deleted', async () => {
      await truncate(join(await generation('a-1.0'), 'archive.zip'), 10);
      await addGeneration('zz-0123456789.1', '2099-01-01T00:00:00.000Z', true);
      await lose();
      await start();
      assert.equal(await pointer(), '.lectern/sites/a-1.0/lost-0123456789.1/site');
      assert.equal((await readdir(home())).length, 2);
      assert.equal(told(), 0);
    });
  });

  it('is not unpacked again from an archive other than the uploaded one, with a log line', async () => {
    const archive = join(await generation('a-1.0'), 'archive.zip');
    await copyFile(join(await generation('b-1.0'), 'archive.zip'), archive);
    await start();
    assert.match(reports.join('\n'), /the site of a-1\.0 differs from its archive and was not repaired/);
    const store = await openStore(docs);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'a-1.0 b');
    await store.close();
  });
});
