import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemUsageStore } from '../../src/adapters/filesystem/index.js';
import { usageStoreContract, usageWith } from '../contracts/usage-store.js';
import { FaultyDisk } from './faulty-disk.js';

const KEY = { project: 'a', day: '2026-11-23', writer: 'one' };
const ALL = { from: '2000-01-01', to: '2100-01-01' };
const directories: string[] = [];

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-usage-'));
  directories.push(directory);
  return directory;
}

afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

usageStoreContract(
  'FilesystemUsageStore',
  async () => new FilesystemUsageStore(join(await newDirectory(), 'usage')),
);

describe('FilesystemUsageStore', () => {
  const reports: object[] = [];
  let home: string;
  let store: FilesystemUsageStore;
  beforeEach(async () => {
    reports.length = 0;
    home = join(await newDirectory(), 'usage');
    store = new FilesystemUsageStore(home, (_, fields) => reports.push(fields));
  });
  const writersOf = async () => {
    const found: number[] = [];
    for await (const { usages } of store.read('a', ALL)) found.push(usages.length);
    return found;
  };

  it('has a file for each project, day and writer, and no other', async () => {
    await store.write(KEY, usageWith(['index.html']));
    assert.deepEqual(await readdir(home, { recursive: true }), ['a', 'a/2026-11-23.one.json']);
  });

  it('does not recreate a missing docs directory', async () => {
    const away = join(home, 'docs', '.lectern', 'usage');
    await assert.rejects(new FilesystemUsageStore(away).write(KEY, usageWith(['index.html'])), {
      code: 'ENOENT',
    });
    await assert.rejects(readdir(home), { code: 'ENOENT' });
  });

  it('skips damaged files, reports them once, and reads the rest', async () => {
    await store.write(KEY, usageWith(['index.html']));
    const good = await readFile(join(home, 'a', '2026-11-23.one.json'), 'utf8');
    const damaged = {
      half: good.slice(0, 40),
      empty: '',
      newer: good.replace('"format":1', '"format":2'),
      negative: good.replace('"total":1', '"total":-1'),
      text: good.replace('"total":1', '"total":"1"'),
    };
    for (const [writer, text] of Object.entries(damaged)) {
      await writeFile(join(home, 'a', `2026-11-23.${writer}.json`), text);
    }
    assert.deepEqual(await writersOf(), [1]);
    assert.deepEqual(await writersOf(), [1]);
    assert.equal(reports.length, Object.keys(damaged).length);
  });

  it('ignores foreign files, and leaves them there', async () => {
    await store.write(KEY, usageWith(['index.html']));
    const others = ['notes.txt', '2026-02-31.one.json', '1999-01-01.json', '1999-01-01.One.json'];
    for (const name of others) await writeFile(join(home, 'a', name), 'x');
    await mkdir(join(home, '.snapshot'));
    assert.deepEqual(await writersOf(), [1]);
    await store.removeBefore('2026-12-01');
    assert.deepEqual((await readdir(join(home, 'a'))).sort(), others.sort());
    assert.deepEqual(reports, []);
  });

  it('ignores and removes half-written files of a crash, but keeps files being written', async () => {
    await store.write(KEY, usageWith(['index.html']));
    const [left, writing] = ['2026-11-23.two.json.coming', '2026-11-23.three.json.coming'];
    for (const name of [left, writing]) await writeFile(join(home, 'a', name), '{"form');
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(home, 'a', left), hoursAgo, hoursAgo);
    assert.deepEqual(await writersOf(), [1]);
    await store.removeBefore('2026-01-01');
    assert.deepEqual((await readdir(join(home, 'a'))).sort(), ['2026-11-23.one.json', writing].sort());
  });

  for (const fault of ['before', 'half', 'after', 'ENOSPC', 'EIO'] as const) {
    it(`has either the old counts or the new ones, whichever step ends with: ${fault}`, async () => {
      const calls = await callsOfAWrite(join(await newDirectory(), 'usage'));
      for (let at = 1; at <= calls; at++) {
        const directory = join(await newDirectory(), 'usage');
        const faulty = new FaultyDisk();
        const writing = new FilesystemUsageStore(directory, () => {}, faulty.disk);
        await writing.write(KEY, usageWith(['old.html']));
        faulty.arm(at, fault);
        await writing.write(KEY, usageWith(['new.html'])).catch(() => {});
        assert.equal(faulty.calls.length >= at, true);
        await faulty.end();
        const reading = new FilesystemUsageStore(directory, () => assert.fail('damaged'));
        const found: string[] = [];
        for await (const { usages } of reading.read('a', ALL)) {
          found.push(...usages.flatMap((usage) => [...(usage.get('1.0')?.reads.paths.keys() ?? [])]));
        }
        assert.equal(found.length, 1, `step ${at}`);
        assert.match(found[0] ?? '', /^(?:old|new)\.html$/);
        await reading.write(KEY, usageWith(['newest.html']));
        assert.deepEqual(await readdir(join(directory, 'a')), ['2026-11-23.one.json']);
      }
    });
  }

  /** Number of calls by which a file is replaced. */
  async function callsOfAWrite(directory: string): Promise<number> {
    const counting = new FaultyDisk();
    const writing = new FilesystemUsageStore(directory, () => {}, counting.disk);
    await writing.write(KEY, usageWith(['old.html']));
    counting.arm();
    await writing.write(KEY, usageWith(['new.html']));
    assert.ok(counting.calls.length >= 7, String(counting.calls));
    return counting.calls.length;
  }

  it('refuses names that lead elsewhere', async () => {
    for (const project of ['..', '../a', 'a/b', '', '.lectern']) {
      await assert.rejects(store.write({ ...KEY, project }, usageWith(['index.html'])), RangeError, project);
    }
    await assert.rejects(readdir(join(home, '..', 'a')), { code: 'ENOENT' });
  });
});
