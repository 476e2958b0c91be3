import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import JSZip from 'jszip';
import { openPromise } from 'yauzl';
import { pack } from '../../src/adapters/zip/jobs/pack.js';
import { DEFAULT_ARCHIVE_LIMITS as limits } from '../../src/application/index.js';
import { EXCHANGES } from '../support/exchanges.js';
import { filesBelow, unpacking } from './unpacking.js';

const zip = unpacking();
const isLinux = process.platform === 'linux';

async function siteOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const site = join(await zip.place(), 'site');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(site, path)), { recursive: true });
    await writeFile(join(site, path), content);
  }
  return site;
}

async function packed(site: string): Promise<string> {
  const archiveFile = join(dirname(site), 'packed.zip');
  await zip.archives.pack(site, archiveFile);
  return archiveFile;
}

const namesIn = async (archiveFile: string) =>
  Object.keys((await JSZip.loadAsync(await readFile(archiveFile))).files);

describe('A packed site', () => {
  it('unpacks to the same bytes', async () => {
    const site = await siteOf({
      'index.html': 'home',
      'guide/é.html': 'é'.repeat(100_000),
      'guide/deep/empty': '',
      'large.bin': Buffer.alloc(3 * 1024 * 1024, 'large'),
      'larger.bin': Buffer.alloc(9 * 1024 * 1024 + 1, 'larger'),
      'noise.png': randomBytes(1000),
      'larger-noise.png': randomBytes(5 * 1024 * 1024 + 1),
      '.well-known/security.txt': 'contact',
    });
    const siteDirectory = join(dirname(site), 'again');
    const unpacked = await zip.archives.unpack({ archiveFile: await packed(site), siteDirectory, limits });
    assert.deepEqual(await filesBelow(siteDirectory), await filesBelow(site));
    assert.equal(unpacked.facts.site.files, 8);
  });

  it('contains its files in order, and no directories', async () => {
    const site = await siteOf({ 'b/x': '', 'a.html': '', 'b.html': '' });
    await mkdir(join(site, 'empty'));
    assert.deepEqual(await namesIn(await packed(site)), ['a.html', 'b.html', 'b/x']);
  });

  it('contains no dot-files, which are never served, except in .well-known', async () => {
    const site = await siteOf({
      'index.html': 'home',
      '.htpasswd': 'secret',
      '.git/config': 'secret',
      'guide/.hidden/page.html': 'secret',
      '.well-known/security.txt': 'contact',
      'guide/.well-known/.secret': 'secret',
    });
    assert.deepEqual(await namesIn(await packed(site)), ['.well-known/security.txt', 'index.html']);
  });

  it('is hardly larger than incompressible content', async () => {
    const noise = randomBytes(5 * 1024 * 1024);
    const site = await siteOf({ 'noise.zip': noise, 'text.txt': Buffer.alloc(5 * 1024 * 1024, 'text') });
    const { size } = await stat(await packed(site));
    assert.ok(size < noise.length + 50_000, `${size} bytes`);
  });

  it('has the same bytes each time', async () => {
    const site = await siteOf({ 'index.html': 'home', 'a/b.html': 'b' });
    const first = await readFile(await packed(site));
    const again = join(dirname(site), 'again.zip');
    await zip.archives.pack(site, again);
    assert.deepEqual(await readFile(again), first);
  });

  it('follows symlinks to files within the site, and no others', async () => {
    const site = await siteOf({ 'index.html': 'home', 'd/a.html': 'a' });
    await writeFile(join(dirname(site), 'secret'), 'secret');
    const links = {
      'home.html': 'index.html',
      'd/up.html': '../index.html',
      secret: '../secret',
      passwd: '/etc/passwd',
      directory: 'd',
      outside: '..',
      broken: 'nowhere',
      loop: 'loop',
    };
    for (const [path, target] of Object.entries(links)) await symlink(target, join(site, path));
    const names = await namesIn(await packed(site));
    assert.deepEqual(names, ['d/a.html', 'd/up.html', 'home.html', 'index.html']);
  });

  it('excludes a neighbour whose name has the same prefix', async () => {
    const site = await siteOf({ 'index.html': 'home' });
    await mkdir(`${site}-2`);
    await writeFile(`${site}-2/secret`, 'secret');
    await symlink('../site-2/secret', join(site, 'link'));
    assert.deepEqual(await namesIn(await packed(site)), ['index.html']);
  });

  it('leaves out unservable files', async () => {
    const site = await siteOf({ 'index.html': 'home', 'back\\slash': 'x', 'line\nfeed': 'x' });
    assert.deepEqual(await namesIn(await packed(site)), ['index.html']);
  });

  it('leaves out files and directories whose names are not UTF-8', { skip: !isLinux }, async () => {
    const site = await siteOf({ 'index.html': 'home' });
    const named = (name: string) => Buffer.concat([Buffer.from(`${site}/`), Buffer.from(name, 'latin1')]);
    await writeFile(named('caf\u00e9.html'), 'x');
    await mkdir(named('men\u00fc'));
    assert.deepEqual(await namesIn(await packed(site)), ['index.html']);
  });

  it('leaves out FIFOs and sockets, and links to them', { skip: !isLinux }, async () => {
    const site = await siteOf({ 'index.html': 'home' });
    await promisify(execFile)('mkfifo', [join(site, 'fifo')]);
    const server = createServer().listen(join(site, 'socket'));
    await once(server, 'listening');
    await symlink('fifo', join(site, 'fifo.html'));
    await symlink('socket', join(site, 'socket.html'));
    try {
      assert.deepEqual(await namesIn(await packed(site)), ['index.html']);
    } finally {
      server.close();
    }
  });

  it("has the modification time of each file, in the format's precision", async () => {
    const times = {
      'now.html': ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
      'older-than-the-format.html': ['1975-01-01T00:00:00Z', '1975-01-01T00:00:00Z'],
      'older-than-unix.html': ['1938-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    } as const;
    const site = await siteOf(Object.fromEntries(Object.keys(times).map((path) => [path, path])));
    for (const [path, [modified]] of Object.entries(times)) {
      await utimes(join(site, path), new Date(modified), new Date(modified));
    }
    const archive = await openPromise(await packed(site));
    const found: Record<string, Date> = {};
    for await (const entry of archive.eachEntry()) found[entry.fileName] = entry.getLastModDate();
    assert.deepEqual(
      found,
      Object.fromEntries(Object.entries(times).map(([path, [, said]]) => [path, new Date(said)])),
    );
  });

  it('is never written over another file', async () => {
    const site = await siteOf({ 'index.html': 'home' });
    const archiveFile = join(dirname(site), 'packed.zip');
    await writeFile(archiveFile, 'kept');
    await assert.rejects(zip.archives.pack(site, archiveFile), { code: 'EEXIST' });
    assert.equal(await readFile(archiveFile, 'utf8'), 'kept');
  });

  it('is missing when the site is', async () => {
    const place = await zip.place();
    await assert.rejects(zip.archives.pack(join(place, 'none'), join(place, 'a.zip')), { code: 'ENOENT' });
    assert.deepEqual(await readdir(place), []);
    assert.ok((await stat(place)).isDirectory());
  });
});

describe('A file that is exchanged after its site was listed', { timeout: 60_000 }, () => {
  /** A file in the place of another is packed: copied-in directories change. */
  const REFUSED = /a link to a file outside|a FIFO|below a directory outside|moved out/;
  for (const [what, exchange] of Object.entries(EXCHANGES)) {
    if (!REFUSED.test(what)) continue;
    it(`aborts the packing when exchanged for ${what}, and leaves no archive`, {
      skip: !isLinux,
    }, async () => {
      const site = await siteOf({ 'a.html': 'a page', 'sub/z.html': 'a page' });
      const place = dirname(site);
      await mkdir(join(place, 'outside'));
      await writeFile(join(place, 'outside/z.html'), 'a secret');
      const archiveFile = join(place, 'packed.zip');
      // The site is listed before this returns, and read after.
      const packing = pack(site, archiveFile);
      exchange(place, join(site, 'sub/z.html'));
      await assert.rejects(packing, { name: 'Refusal', code: 'unavailable' });
      assert.equal((await readdir(place)).includes('packed.zip'), false);
    });
  }
});
