import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import threads, { type Worker } from 'node:worker_threads';
import { DEFAULT_ARCHIVE_LIMITS as limits } from '../../src/application/index.js';
import { writeZip } from '../support/zip-writer.js';

/** The threads of this process, in the order they were asked for; those that are refused throw as a full system does. */
const started: Worker[] = [];
let refused: readonly number[] = [];
/** A module that the first thread loads ahead of everything else. */
let preload: string | undefined;
const RealWorker = threads.Worker;
const full = () => Object.assign(new Error('no more threads'), { code: 'ERR_WORKER_INIT_FAILED' });
threads.Worker = class extends RealWorker {
  constructor(...[entry, options]: ConstructorParameters<typeof RealWorker>) {
    const number = started.push(undefined as unknown as Worker);
    if (refused.includes(number)) throw full();
    const more = preload !== undefined && number === 1 ? ['--import', preload] : [];
    super(entry, { ...options, execArgv: [...(options?.execArgv ?? process.execArgv), ...more] });
    started[number - 1] = this;
  }
};
syncBuiltinESMExports();
const { ZipArchives } = await import('../../src/adapters/zip/index.js');

/**
 * Ends its thread as it is about to write `file`, once `other` is there. A thread that dies from outside while it makes
 * an engine of zlib takes its process along: "close before init", an assertion of Node 20 and 24.
 */
const dyingAt = (file: string, other: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      if (path === ${JSON.stringify(file)}) {
        const clock = new Int32Array(new SharedArrayBuffer(4));
        const end = Date.now() + 10_000;
        while (!fs.existsSync(${JSON.stringify(other)})) {
          if (Date.now() > end) throw new Error('the other thread has not begun');
          Atomics.wait(clock, 0, 0, 1);
        }
        process.exit(1);
      }
      return openSync(path, ...rest);
    };
    syncBuiltinESMExports();
  `)}`;

const noise = randomBytes(4_000).toString('hex');
const archiveOf = (count: number, damaged?: number) =>
  writeZip(
    Array.from({ length: count }, (_, i) => {
      const entry = { name: `part-${i % 37}/${i}.html`, content: `${i} ${noise}` };
      return i === damaged ? { ...entry, crc32: 1 } : entry;
    }),
  );

const directory = mkdtempSync(join(tmpdir(), 'lectern-threads-'));
after(() => rmSync(directory, { recursive: true }));
let count = 0;
function requestFor(archive: Buffer) {
  count += 1;
  const archiveFile = join(directory, `${count}.zip`);
  writeFileSync(archiveFile, archive);
  return { archiveFile, siteDirectory: join(directory, `${count}-site`), limits };
}

const skip = availableParallelism() > 1 ? false : 'there is one processor only';

describe('Where the system allows no more threads, an archive for two', { skip }, () => {
  beforeEach(() => {
    started.length = 0;
    refused = [];
    preload = undefined;
  });

  for (const [title, missing, damaged, expected] of [
    ['is unpacked by the one that there is', [2], undefined, 600],
    ['is refused by the one that there is, when it is damaged', [2], 0, 'invalid_archive'],
    ['is not unpacked when there is none to lead', [1], undefined, 'ERR_WORKER_INIT_FAILED'],
    ['is not unpacked when there is none at all', [1, 2], undefined, 'ERR_WORKER_INIT_FAILED'],
  ] as const) {
    it(`${title}, and the next one is unpacked`, async () => {
      const archives = new ZipArchives();
      refused = missing;
      const request = requestFor(archiveOf(600, damaged));
      const outcome = await archives.unpack(request).then(
        ({ files }) => files,
        ({ code }) => code,
      );
      assert.equal(outcome, expected);
      assert.equal(existsSync(request.siteDirectory), typeof expected === 'number');
      refused = [];
      for (let again = 0; again < 2; again += 1) {
        assert.equal((await archives.unpack(requestFor(archiveOf(600)))).files, 600);
      }
      await archives.close();
    });
  }

  it('is unpacked by new ones where the old ones have just failed', async () => {
    const archives = new ZipArchives();
    await archives.unpack(requestFor(archiveOf(600)));
    const before = started.length;
    let asked = 0;
    for (const worker of started) {
      worker.postMessage = () => {
        asked += 1;
      };
      worker.emit('error', new Error('as an uncaught exception says, ahead of the exit'));
    }
    assert.equal((await archives.unpack(requestFor(archiveOf(600)))).files, 600);
    // One or two: the helper of the first archive may still be at its end, and nobody waits for it.
    assert.ok(started.length > before);
    assert.equal(asked, 0, 'an old one was used again');
    // Only then: a thread that is at its job lets go of the process afterwards, even while its end is awaited.
    await archives.close();
    await Promise.all(started.map((worker) => worker.terminate()));
  });

  it('is given up by both when the thread that leads it dies, and nothing is written afterwards', async () => {
    const archives = new ZipArchives();
    const request = requestFor(archiveOf(5_000));
    const [first, last] = ['part-0/0.html', 'part-4/4999.html'].map(
      (path) => `${request.siteDirectory}/${path}`,
    );
    preload = dyingAt(String(first), String(last));
    await assert.rejects(archives.unpack(request), /ended before its job was done/);
    const written = readdirSync(request.siteDirectory, { recursive: true }).length;
    await archives.close();
    assert.equal(readdirSync(request.siteDirectory, { recursive: true }).length, written);
    assert.ok(written < 5_000, 'the helper went on to the end');
  });
});

describe('After the end', () => {
  it('an archive for two is refused like any other', async () => {
    const archives = new ZipArchives();
    await archives.close();
    await assert.rejects(archives.unpack(requestFor(archiveOf(600))), { code: 'unavailable' });
  });

  it('a path that cannot be is refused like any other', async () => {
    const archives = new ZipArchives();
    const request = { ...requestFor(archiveOf(600)), archiveFile: join(directory, 'x'.repeat(300)) };
    await assert.rejects(archives.unpack(request), { code: 'ENAMETOOLONG' });
    await archives.close();
  });
});
