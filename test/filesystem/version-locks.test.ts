import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Disk, makeDirectories, nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { Lease } from '../../src/adapters/filesystem/housekeeping/lease.js';
import { thisProcess } from '../../src/adapters/filesystem/housekeeping/process-identity.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import { VersionLocks } from '../../src/adapters/filesystem/publishing/version-locks.js';
import { KeyedMutex } from '../../src/application/index.js';
import { seeded } from '../support/seeded.js';
import { until } from '../support/until.js';
import { makeDirectory, removeAll, writeLease } from './crash-world.js';

const DEAD = 'dead-0123456789';

describe('The locks of versions', () => {
  let docs: string;
  let layout: Layout;
  let leases: Lease[];

  beforeEach(async () => {
    docs = await makeDirectory();
    layout = new Layout(docs);
    await makeDirectories(nodeDisk, layout.directories);
    leases = [];
  });
  afterEach(async () => {
    for (const lease of leases) await lease.giveBack(true);
    await removeAll([docs]);
  });

  /** Locks as another process has them: under a lease of its own. */
  async function anotherProcess(disk: Disk = nodeDisk, maxWaitMs?: number): Promise<VersionLocks> {
    const lease = await Lease.take(nodeDisk, layout.running);
    leases.push(lease);
    return new VersionLocks(disk, layout, lease, new KeyedMutex(), maxWaitMs);
  }

  /** The locks, and all that was made on the way to one. */
  const left = async () => [...(await readdir(layout.locks)), ...(await readdir(layout.incoming))].sort();
  const lockAs = (key: string, ...holders: string[]) =>
    mkdir(join(layout.locks, key, ...holders), { recursive: true });
  const nothing = async () => {};

  /** Many changes by several processes; fails when two are at work at the same time. */
  async function contend(processes: readonly VersionLocks[], rounds: number): Promise<void> {
    let atWork = 0;
    const change = async () => {
      atWork += 1;
      assert.equal(atWork, 1, 'two at once');
      await new Promise(setImmediate);
      atWork -= 1;
    };
    await Promise.all(
      processes.map(async (locks) => {
        for (let round = 0; round < rounds; round++) await locks.run('a-1.0', change);
      }),
    );
  }

  it('admit one change at a time, across processes', async () => {
    await contend(await Promise.all([anotherProcess(), anotherProcess(), anotherProcess()]), 20);
    assert.deepEqual(await left(), []);
  });

  it('leave changes of other versions unhindered', async () => {
    const [one, other] = [await anotherProcess(), await anotherProcess()];
    await one.run('a-1.0', () => other.run('a-1.1', nothing));
  });

  it('pass on the result of a change, and its error', async () => {
    const locks = await anotherProcess();
    assert.equal(await locks.run('a-1.0', async () => 7), 7);
    const failing = locks.run('a-1.0', () => Promise.reject(new Error('failed on its way')));
    await assert.rejects(failing, /failed on its way/);
    assert.deepEqual(await left(), []);
  });

  const INHERITANCES: readonly [title: string, holders: readonly string[]][] = [
    ['a dead process', [`${DEAD}.1`]],
    ['a process that died while it released the lock', []],
  ];
  for (const [title, holders] of INHERITANCES) {
    it(`are inherited from ${title}, by one process at a time, in any order of the steps of several`, async () => {
      const random = seeded(7);
      const slowly = async <T>(call: () => Promise<T>): Promise<T> => {
        // Now and then for as long as others take for whole changes.
        if (random() < 0.25) await new Promise((resolve) => setTimeout(resolve, 30));
        return call();
      };
      const slow: Disk = {
        ...nodeDisk,
        rename: (...names) => slowly(() => nodeDisk.rename(...names)),
        rmdir: (path) => slowly(() => nodeDisk.rmdir(path)),
      };
      const processes = [await anotherProcess(slow), await anotherProcess(slow), await anotherProcess(slow)];
      for (let round = 0; round < 15; round++) {
        await lockAs('a-1.0', ...holders);
        await contend(processes, 2);
        assert.deepEqual(await left(), []);
      }
    });
  }

  it('are inherited from a killed process', async () => {
    const program = fileURLToPath(import.meta.url.replace('version-locks.test', 'holds-a-lock'));
    const holder = spawn(process.execPath, [...process.execArgv, program, docs, 'a-1.0'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    const impatient = await anotherProcess(nodeDisk, 50);
    await assert.rejects(impatient.run('a-1.0', nothing), { code: 'unavailable' });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    let isDone = false;
    await (await anotherProcess()).run('a-1.0', async () => {
      isDone = true;
    });
    assert.ok(isDone);
    assert.deepEqual(await left(), []);
  });

  it('refuse after a time a change that waits for a living process, perhaps on another machine, and change nothing', async () => {
    await writeLease(docs, DEAD, { ...thisProcess(''), host: 'elsewhere' }, new Date());
    await lockAs('a-1.0', `${DEAD}.1`);
    const locks = await anotherProcess(nodeDisk, 20);
    await assert.rejects(
      locks.run('a-1.0', async () => assert.fail('was at work')),
      { code: 'unavailable' },
    );
    assert.deepEqual(await left(), ['a-1.0']);
  });

  it('fail no change when they cannot be released, stay with this process, and are released later', async () => {
    let isBroken = true;
    const disk: Disk = {
      ...nodeDisk,
      rmdir: (path) =>
        isBroken
          ? Promise.reject(Object.assign(new Error('made up'), { code: 'EIO' }))
          : nodeDisk.rmdir(path),
    };
    const locks = await anotherProcess(disk);
    await locks.run('a-1.0', nothing);
    assert.deepEqual(await left(), ['a-1.0']);
    await locks.run('a-1.0', nothing);
    isBroken = false;
    await until(async () => (await left()).length === 0);
    await locks.run('b-1.0', nothing);
    await locks.close();
  });

  it("are swept with their leftovers after a process's death, and only then", async () => {
    await writeLease(docs, 'alive-0123456789', { ...thisProcess(''), host: 'elsewhere' }, new Date());
    await lockAs('a-1.0', `${DEAD}.1`);
    await lockAs('b-1.0');
    await lockAs('c-1.0', 'alive-0123456789.1');
    await (await anotherProcess()).sweep();
    assert.deepEqual(await left(), ['c-1.0']);
  });
});
