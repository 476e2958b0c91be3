import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { DEFAULT_ARCHIVE_LIMITS as limits } from '../../src/application/index.js';
import { Refusal } from '../../src/domain/index.js';
import { nodeOptions } from '../../src/node/background/program.js';
import { ROOT } from '../support/root.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { unpacking } from './unpacking.js';

const run = promisify(execFile);
const zip = unpacking();
const skip = await noTmpfs();
const isSource = import.meta.url.endsWith('.ts');
/** This program, below the root of the project. */
const SOURCES = isSource ? 'src' : 'dist.tests/src';
const EXTENSION = isSource ? 'ts' : 'js';
/** Node's arguments for a script of this program. */
const AS_MODULE = [...nodeOptions(), '--input-type=module', '--eval'];

describe('The worker threads', () => {
  it('run many jobs at once, each with a correct result', async () => {
    const jobs = Array.from({ length: 20 }, async (_, i) => {
      const { result } = await zip.unpack(zipOf({ [`${i}.html`]: 'x'.repeat(i) }));
      return (await result).facts.site.bytes;
    });
    assert.deepEqual(
      await Promise.all(jobs),
      Array.from({ length: 20 }, (_, i) => i),
    );
  });

  it('unpack an upload while downloads wait for all packing threads', {
    timeout: 60_000,
  }, async (t) => {
    const archives = new ZipArchives();
    const [place, site] = [await zip.place(), await zip.place()];
    const [busy, archiveFile] = [join(place, 'busy.zip'), join(place, 'a.zip')];
    await writeFile(archiveFile, zipOf({ 'index.html': 'home' }));
    // A thread that opens it waits until something writes to it.
    await run('mkfifo', [busy]);
    const waiting = Promise.allSettled([archives.verify(busy, site), archives.verify(busy, site)]);
    let isPacked = false;
    const packing = archives.pack(site, join(place, 'packed.zip')).then(() => {
      isPacked = true;
    });
    t.after(async () => {
      const writer = await open(busy, 'r+');
      for (const { status } of await waiting) assert.equal(status, 'rejected');
      await writer.close();
      await packing;
      await archives.close();
    });
    for (const name of ['a', 'b', 'c']) {
      await archives.unpack({ archiveFile, siteDirectory: join(place, name), limits });
    }
    assert.equal(isPacked, false);
  });

  it('accept announcements of archives at any time: idle, at work, and after the end', async () => {
    const archives = new ZipArchives();
    for (let i = 0; i < 3; i += 1) archives.expect();
    const place = await zip.place();
    const request = { archiveFile: join(place, 'a.zip'), siteDirectory: join(place, 'site'), limits };
    await writeFile(request.archiveFile, zipOf({ 'index.html': 'home' }));
    const unpacked = archives.unpack(request);
    archives.expect();
    assert.equal((await unpacked).facts.site.files, 1);
    await archives.close();
    archives.expect();
  });

  it('unpack an announced archive in the thread started for it', async (t) => {
    let threads = 0;
    const count = () => {
      threads += 1;
    };
    process.on('worker', count);
    t.after(() => process.off('worker', count));
    const archives = new ZipArchives();
    const place = await zip.place();
    const archiveFile = join(place, 'a.zip');
    await writeFile(archiveFile, zipOf({ 'index.html': 'home' }));
    archives.expect();
    archives.expect();
    const unpacked = archives.unpack({ archiveFile, siteDirectory: join(place, 'site'), limits });
    await archives.close();
    assert.equal((await unpacked).facts.site.files, 1);
    assert.equal(threads, 1);
  });

  it('unpack while the main thread is blocked', async () => {
    const count = 1_000;
    const files = Array.from({ length: count }, (_, i) => [`${i}.html`, 'page '.repeat(500)]);
    // Leaves a thread that waits for a job.
    await (await zip.unpack(zipOf({ 'index.html': 'home' }))).result;
    const { siteDirectory, result } = await zip.unpack(zipOf(Object.fromEntries(files)));
    const last = join(siteDirectory, `${count - 1}.html`);
    assert.ok(!existsSync(last));
    const held = new Int32Array(new SharedArrayBuffer(4));
    for (const end = Date.now() + 60_000; !existsSync(last) && Date.now() < end; )
      Atomics.wait(held, 0, 0, 5);
    assert.ok(existsSync(last));
    assert.equal((await result).facts.site.files, count);
  });

  it('abort in the midst of an archive and of a download, and leave nothing', async () => {
    const archives = new ZipArchives();
    const place = await zip.place();
    const [archiveFile, siteDirectory] = [join(place, 'a.zip'), join(place, 'site')];
    const files = Array.from({ length: 3000 }, (_, i) => [`${i}.html`, randomBytes(100).toString('hex')]);
    await writeFile(archiveFile, zipOf(Object.fromEntries(files)));
    await archives.unpack({ archiveFile, siteDirectory, limits });
    // A hole of the disk, which takes longer to pack than another thread takes to begin.
    await writeFile(join(siteDirectory, 'z.bin'), '');
    await truncate(join(siteDirectory, 'z.bin'), 2 ** 30);
    const [packed, again] = [join(place, 'packed.zip'), join(place, 'again')];

    const jobs = [
      archives.pack(siteDirectory, packed),
      archives.unpack({ archiveFile, siteDirectory: again, limits }),
    ];
    const outcomes = Promise.allSettled(jobs);
    await until(() => existsSync(join(again, '10.html')));
    archives.giveUp();
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.equal(outcome.reason.code, 'unavailable');
      assert.match(outcome.reason.message, /shutting down/);
    }
    assert.deepEqual((await readdir(place)).sort(), ['a.zip', 'site']);
    await archives.close();
  });

  it('continue after a refusal', async () => {
    const refused = await zip.unpack(Buffer.from('no zip'));
    await assert.rejects(refused.result, Refusal);
    const { result } = await zip.unpack(zipOf({ 'index.html': 'home' }));
    assert.equal((await result).facts.site.files, 1);
  });

  it('let a process exit without closing them', async () => {
    const place = await zip.place();
    await writeFile(join(place, 'a.zip'), zipOf({ 'index.html': 'home' }));
    const adapter = pathToFileURL(join(ROOT, SOURCES, `adapters/zip/index.${EXTENSION}`));
    const script = `import { ZipArchives } from ${JSON.stringify(adapter.href)};
      const request = { archiveFile: 'a.zip', siteDirectory: 'site', limits: ${JSON.stringify(limits)} };
      console.log((await new ZipArchives().unpack(request)).facts.site.files);`;
    const { stdout } = await run(process.execPath, [...AS_MODULE, script], { cwd: place, timeout: 50_000 });
    assert.equal(stdout.trim(), '1');
  });
});

describe('A thread that cannot start', () => {
  it('fails the waiting job, and the next job gets another thread', {
    timeout: 60_000,
  }, async () => {
    // As while the files of the program are being replaced by those of another release.
    const place = await zip.place();
    await cp(join(ROOT, SOURCES), join(place, 'program'), { recursive: true });
    await writeFile(join(place, 'package.json'), '{"type": "module"}');
    await symlink(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    await writeFile(join(place, 'a.zip'), zipOf({ 'index.html': 'home' }));
    const worker = join(place, 'program/adapters/zip/jobs', `program.${EXTENSION}`);
    await rename(worker, `${worker}.away`);
    const script = `import { renameSync } from 'node:fs';
      import { ZipArchives } from './program/adapters/zip/index.${EXTENSION}';
      const archives = new ZipArchives();
      const unpacked = (siteDirectory) =>
        archives.unpack({ archiveFile: 'a.zip', siteDirectory, limits: ${JSON.stringify(limits)} }).then(
          ({ facts }) => facts.site.files,
          ({ code }) => code,
        );
      const failed = await Promise.all([unpacked('a'), unpacked('b'), unpacked('c')]);
      renameSync(${JSON.stringify(`${worker}.away`)}, ${JSON.stringify(worker)});
      console.log(JSON.stringify([...failed, await unpacked('d')]));
      await archives.close();`;
    const { stdout } = await run(process.execPath, [...AS_MODULE, script], { cwd: place, timeout: 50_000 });
    const missing = 'ERR_MODULE_NOT_FOUND';
    assert.deepEqual(JSON.parse(stdout), [missing, missing, missing, 1]);
    assert.deepEqual((await readdir(place)).sort(), [
      'a.zip',
      'd',
      'node_modules',
      'package.json',
      'program',
    ]);
  });
});

describe('A disk error', () => {
  it('keeps its code when the archive is missing', async () => {
    const place = await zip.place();
    const request = { archiveFile: join(place, 'none.zip'), siteDirectory: join(place, 'site'), limits };
    await assert.rejects(zip.archives.unpack(request), { code: 'ENOENT', syscall: 'open' });
    assert.deepEqual(await readdir(place), []);
  });

  it('keeps its code when the site directory already exists, and leaves the directory unchanged', async () => {
    const place = await zip.place();
    await mkdir(join(place, 'site'));
    await writeFile(join(place, 'site', 'kept'), '');
    await writeFile(join(place, 'a.zip'), zipOf({ 'index.html': 'home' }));
    const request = { archiveFile: join(place, 'a.zip'), siteDirectory: join(place, 'site'), limits };
    await assert.rejects(zip.archives.unpack(request), { code: 'EEXIST' });
    assert.deepEqual(await readdir(join(place, 'site')), ['kept']);
  });

  it('arrives as ENOSPC on a full disk, without leftovers', { skip }, async () => {
    const place = await zip.place();
    await writeFile(join(place, 'a.zip'), zipOf({ small: 'x', large: Buffer.alloc(8 * 1024 * 1024, 'x') }));
    const disk = join(place, 'disk');
    await mkdir(disk);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    try {
      const request = { archiveFile: join(place, 'a.zip'), siteDirectory: join(disk, 'site'), limits };
      await assert.rejects(zip.archives.unpack(request), { code: 'ENOSPC' });
      assert.deepEqual(await readdir(disk), []);
    } finally {
      await run('umount', [disk]);
    }
  });

  it('arrives as ENOSPC when the disk has no room for a packed site, without leftovers or open files', {
    skip,
  }, async () => {
    const place = await zip.place();
    const [site, disk] = [join(place, 'site'), join(place, 'disk')];
    await mkdir(site);
    await writeFile(join(site, 'noise.bin'), randomBytes(8 * 1024 * 1024));
    await mkdir(disk);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    try {
      await assert.rejects(zip.archives.pack(site, join(disk, 'packed.zip')), { code: 'ENOSPC' });
      assert.deepEqual(await readdir(disk), []);
      assert.deepEqual(await openBelow(place), []);
    } finally {
      await run('umount', [disk]);
    }
  });
});

describe('Closing the workers', () => {
  it('awaits accepted jobs, and accepts no more', async () => {
    const archives = new ZipArchives();
    const place = await zip.place();
    await writeFile(join(place, 'a.zip'), zipOf({ 'index.html': 'home' }));
    const into = (name: string) =>
      archives.unpack({ archiveFile: join(place, 'a.zip'), siteDirectory: join(place, name), limits });
    const accepted = ['a', 'b', 'c', 'd'].map(into);
    await archives.close();
    await assert.rejects(into('e'), { code: 'unavailable' });
    for (const site of await Promise.all(accepted)) assert.equal(site.facts.site.files, 1);
    assert.ok((await stat(join(place, 'd/index.html'))).isFile());
    await rm(place, { recursive: true });
  });

  it('is idempotent, and works without any job', async () => {
    const archives = new ZipArchives();
    await Promise.all([archives.close(), archives.close()]);
    await archives.close();
  });
});

/** Files below a directory that this process, all threads of it, has open. */
async function openBelow(directory: string): Promise<string[]> {
  const numbers = await readdir('/proc/self/fd');
  const targets = await Promise.all(numbers.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(directory));
}

/** A small disk can only be had by mounting one. */
async function noTmpfs(): Promise<string | false> {
  const probe = await run('sh', [
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d && rmdir $d',
  ]).catch(() => undefined);
  return probe === undefined && 'this system lets us mount no tmpfs';
}
