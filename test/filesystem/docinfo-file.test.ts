import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DocinfoFiles } from '../../src/adapters/filesystem/reading/docinfo-file.js';
import { firstLineDocinfo } from '../support/fake-archives.js';
import { until } from '../support/until.js';

describe('The docinfo file of a site', () => {
  let site: string;
  let files: DocinfoFiles;
  beforeEach(async () => {
    site = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    files = new DocinfoFiles(firstLineDocinfo);
  });
  afterEach(async () => rm(site, { recursive: true, force: true }));

  const problemOf = async () => {
    const { docinfo, problem } = await files.in(site);
    assert.equal(docinfo, undefined);
    return problem;
  };

  it('is never read through a symlink, whatever its target', async () => {
    await writeFile(join(site, 'real.yaml'), 'Real');
    for (const target of ['real.yaml', '/etc/hostname', '/dev/zero', 'nowhere', '.', 'docinfo.yaml']) {
      await symlink(target, join(site, 'docinfo.yaml'));
      assert.equal(await problemOf(), 'docinfo.yaml is a link, and links are not followed', target);
      await rm(join(site, 'docinfo.yaml'));
    }
  });

  it('is read in a site behind a symlink', async () => {
    await mkdir(join(site, 'elsewhere'));
    await writeFile(join(site, 'elsewhere/docinfo.yml'), 'Elsewhere');
    await symlink('elsewhere', join(site, 'linked'));
    assert.deepEqual(await files.in(join(site, 'linked')), { docinfo: { name: 'Elsewhere' } });
  });

  it('names downloads of a copied-in site: files that the site serves, with their sizes', async () => {
    const named = ['a.pdf', 'in.pdf', 'out.pdf', 'hidden.pdf', 'loop.pdf', 'sub', 'gone.pdf'].map((file) => ({
      file,
    }));
    files = new DocinfoFiles(() => ({ docinfo: { name: 'n' }, downloads: named }));
    await writeFile(join(site, 'docinfo.yaml'), '');
    assert.deepEqual(await files.in(site), { docinfo: { name: 'n' } });
    await mkdir(join(site, 'sub'));
    await writeFile(join(site, 'a.pdf'), '12345');
    await writeFile(join(site, '.hidden'), '12345');
    for (const [link, target] of [
      ['in.pdf', 'a.pdf'],
      ['out.pdf', '/etc/hostname'],
      ['hidden.pdf', '.hidden'],
      ['loop.pdf', 'loop.pdf'],
    ] as const)
      await symlink(target, join(site, link));
    assert.deepEqual(await files.in(site), {
      docinfo: { name: 'n' },
      downloads: ['a.pdf', 'in.pdf'].map((file) => ({ file, label: file, size: 5 })),
    });
  });

  it('is ignored when it is a FIFO, though a process may write to it', async () => {
    execFileSync('mkfifo', [join(site, 'docinfo.json')]);
    assert.equal(await problemOf(), 'docinfo.json is not a regular file');
  });

  it('is ignored when it is a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(site, 'docinfo.yaml'), resolve));
    assert.equal(await problemOf(), 'docinfo.yaml is not a regular file');
    await new Promise((resolve) => server.close(resolve));
  });

  it('is the next candidate when a directory has the name, such as a page about docinfo files', async () => {
    await mkdir(join(site, 'docinfo.yaml'));
    await writeFile(join(site, 'docinfo.yml'), 'Second');
    assert.deepEqual(await files.in(site), { docinfo: { name: 'Second' } });
  });

  it('is read up to 8 KiB, and ignored beyond', async () => {
    await writeFile(join(site, 'docinfo.yaml'), 'Fits\n'.padEnd(8 * 1024));
    assert.deepEqual(await files.in(site), { docinfo: { name: 'Fits' } });
    await writeFile(join(site, 'docinfo.yaml'), 'Fits\n'.padEnd(8 * 1024 + 1));
    assert.equal(await problemOf(), 'docinfo.yaml is larger than 8192 bytes');
  });
});

describe('A file system that does not respond', () => {
  /** Takes every thread that Node.js reads files with, as reads that hang do; gives back what lets them go on. */
  async function holdAllThreads(place: string): Promise<() => Promise<void>> {
    const held = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, (_, number) => {
      const fifo = join(place, `fifo-${number}`);
      execFileSync('mkfifo', [fifo]);
      return { fifo, opening: open(fifo, 'r') };
    });
    return async () => {
      for (const { fifo, opening } of held) {
        closeSync(openSync(fifo, 'w'));
        await (await opening).close();
      }
    };
  }

  it('costs the docinfo and no more than the time limit, without a second hanging read', async () => {
    const place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const sites = ['one', 'two', 'three'].map((name) => join(place, name));
    for (const site of sites) {
      await mkdir(site);
      await writeFile(join(site, 'docinfo.yaml'), 'There');
    }
    const [one = '', two = '', three = ''] = sites;
    const files = new DocinfoFiles(firstLineDocinfo, 50);
    const noAnswer = { problem: 'docinfo was not read: the file system does not respond' };
    /** Returns the docinfo if it is known without waiting for a file or a timer. */
    const atOnce = (site: string) =>
      Promise.race([files.in(site), new Promise((resolve) => setImmediate(resolve, 'still waiting'))]);

    const letGo = await holdAllThreads(place);
    try {
      assert.deepEqual(await files.in(one), noAnswer);
      assert.deepEqual(await atOnce(one), noAnswer);
      assert.equal(await atOnce(two), 'still waiting');
      assert.deepEqual(await files.in(two), noAnswer);
      assert.deepEqual(await atOnce(three), noAnswer);
    } finally {
      await letGo();
    }
    for (const site of sites) {
      // The readings that hung end one after the other.
      await until(async () => (await files.in(site)).docinfo?.name === 'There');
    }
    await rm(place, { recursive: true });
  });
});
