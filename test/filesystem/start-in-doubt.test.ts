import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
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

describe('A start after a crash, in doubt', () => {
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

  it('deletes no version whose link is missing when many are, as while a backup is unpacked', async () => {
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

  it('deletes up to three versions whose link is missing, as interrupted deletions leave them, and says nothing of links', async () => {
    for (const name of NAMES.slice(0, 3)) await unlink(join(docs, name));
    await start();
    assert.deepEqual(await readdir(join(docs, '.lectern/sites')), NAMES.slice(3));
    assert.doesNotMatch(reports.join('\n'), /have no link/);
  });

  it('deletes no archive of versions in whose place there are directories when many are, as after a copy that followed links', async () => {
    for (const name of NAMES) {
      await unlink(join(docs, name));
      await writeSite(join(docs, name), site(name));
    }
    await start();
    for (const name of NAMES) assert.ok(existsSync(join(await generation(name), 'archive.zip')), name);
  });

  it('deletes what interrupted deletions left, however many, when it was kept for being restored', async () => {
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

  it('unpacks no site again from an archive that is not the one that was uploaded, and says so', async () => {
    const archive = join(await generation('a-1.0'), 'archive.zip');
    await copyFile(join(await generation('b-1.0'), 'archive.zip'), archive);
    await start();
    assert.match(reports.join('\n'), /the site of a-1\.0 differs from its archive, and is left as it is/);
    const store = await openStore(docs);
    assert.equal(await readPage(store, 'a-1.0', 'a/b.html'), 'a-1.0 b');
    await store.close();
  });
});
