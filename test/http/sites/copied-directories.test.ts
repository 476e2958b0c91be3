import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import JSZip from 'jszip';
import { type Json, TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

describe('A copied-in directory', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(async () => server.close());

  async function copyIn(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const directory = join(server.docs, name);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(directory, path, '..'), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    return directory;
  }

  it('is a version without a restart', async () => {
    assert.equal((await server.get('/by-hand-2.1/')).status, 404);
    await copyIn('by-hand-2.1', { 'index.html': 'by hand', 'docinfo.json': '{"title": "By Hand"}' });
    await server.shows('/by-hand-2.1/');
    assert.equal(await (await server.get('/by-hand-2.1/')).text(), 'by hand');
    const [project] = (await server.json('/api/projects')).projects;
    assert.equal(project.latest_version_dir, 'by-hand-2.1');
    // The directory may have been seen before its docinfo was written.
    await until(async () => (await server.json('/api/projects')).projects[0].name === 'By Hand');
  });

  it('disappears when removed by hand, like an uploaded version, from memory as well', async () => {
    await server.upload('by-link-1.0-docs.zip', { 'index.html': 'uploaded', 'guide/index.html': 'guide' });
    await copyIn('by-link-0.9', { 'index.html': 'copied', 'guide/index.html': 'guide' });
    await server.shows('/by-link-0.9/');
    const paths = ['1.0', '0.9'].map((label) => [
      ...['/', '/guide/', '-docs.zip'].map((rest) => `/by-link-${label}${rest}`),
      `/api/download/by-link/${label}`,
      `/-/switcher/by-link-${label}.json`,
    ]);
    const latest = [
      '/by-link-latest/',
      '/by-link-latest/guide/',
      '/api/projects/by-link',
      '/-/projects/by-link',
    ];
    const before = server.answeredFromMemory;
    for (let round = 0; round < 3; round++) {
      for (const path of [...paths.flat(), ...latest]) {
        const answer = await server.get(path);
        await answer.arrayBuffer();
        assert.equal(answer.status, 200, path);
      }
    }
    assert.ok(server.answeredFromMemory > before, 'nothing was answered from memory');
    const isGone = async (path: string) => {
      const answer = await server.get(path);
      await answer.arrayBuffer();
      return answer.status === 404;
    };
    await rm(join(server.docs, 'by-link-1.0'));
    await until(() => isGone('/by-link-1.0/'));
    for (const path of paths[0] ?? []) assert.ok(await isGone(path), path);
    assert.equal(await (await server.get('/by-link-latest/')).text(), 'copied');
    await rm(join(server.docs, 'by-link-0.9'), { recursive: true });
    await until(() => isGone('/by-link-0.9/'));
    for (const path of [...paths.flat(), ...latest]) assert.ok(await isGone(path), path);
    assert.ok(
      (await server.json('/api/projects')).projects.every((each: Json) => each.directory_name !== 'by-link'),
    );
  });

  it('is left alone when its name is no version by rule 1 or 2', async () => {
    const names = ['notes', 'my-notes', 'tool-main', 'lost+found', '.cache-1.0', 'a_-1.0', 'a-1.0-docs.zip'];
    for (const name of names) await copyIn(name, { 'index.html': 'private' });
    await writeFile(join(server.docs, 'file-1.0'), 'no directory');
    // Whoever sees this one has looked at the others.
    await copyIn('afterwards-1.0', { 'index.html': 'public' });
    await server.shows('/afterwards-1.0/');
    for (const name of [...names, 'file-1.0']) {
      assert.equal((await server.get(`/${name}/`)).status, 404, name);
    }
    assert.equal((await server.json('/api/projects')).count, 2);
  });

  it('is packed for a download, once, and again within seconds of a change', async () => {
    const directory = await copyIn('packed-1.0', { 'index.html': 'one', 'a/b.txt': 'b' });
    await server.shows('/packed-1.0/');
    const first = await server.get('/api/download/packed/1.0');
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('content-disposition'), 'attachment; filename="packed-1.0-docs.zip"');
    const zip = await JSZip.loadAsync(await first.arrayBuffer());
    assert.equal(await zip.file('index.html')?.async('string'), 'one');
    assert.equal(await zip.file('a/b.txt')?.async('string'), 'b');
    const again = await server.get('/packed-latest-docs.zip', {
      'If-None-Match': first.headers.get('etag') ?? '',
    });
    assert.equal(again.status, 304);
    await writeFile(join(directory, 'a/b.txt'), 'changed');
    await until(async () => {
      const changed = await server.get('/packed-1.0-docs.zip');
      const second = await JSZip.loadAsync(await changed.arrayBuffer());
      return (await second.file('a/b.txt')?.async('string')) === 'changed';
    });
  });

  it('never serves or packs the outside target of a symlink', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'secret.txt'), 'secret');
    const directory = await copyIn('links-1.0', { 'index.html': 'x', 'real.txt': 'real' });
    await symlink(join(outside, 'secret.txt'), join(directory, 'secret.txt'));
    await symlink(outside, join(directory, 'out'));
    await symlink('real.txt', join(directory, 'inside.txt'));
    await server.shows('/links-1.0/');
    assert.equal((await server.get('/links-1.0/secret.txt')).status, 404);
    assert.equal((await server.get('/links-1.0/out/secret.txt')).status, 404);
    assert.equal(await (await server.get('/links-1.0/inside.txt')).text(), 'real');
    const zip = await JSZip.loadAsync(await (await server.get('/links-1.0-docs.zip')).arrayBuffer());
    assert.equal(zip.file('secret.txt'), null);
    assert.equal(zip.file('out/secret.txt'), null);
    await rm(outside, { recursive: true });
  });

  it('may be a symlink in the docs directory, and symlinks in it lead no further', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    const site = join(outside, 'site');
    await mkdir(site);
    await writeFile(join(site, 'index.html'), 'mounted');
    await writeFile(join(outside, 'secret.txt'), 'top secret');
    await symlink('../secret.txt', join(site, 'secret.txt'));
    await symlink('..', join(site, 'out'));
    await symlink(server.docs, join(site, 'docs'));
    await symlink('index.html', join(site, 'inside.html'));
    await copyIn('beside-1.0', { 'index.html': 'beside' });
    await symlink(site, join(server.docs, 'mounted-1.0'));
    await server.shows('/mounted-1.0/');
    for (const path of ['', 'inside.html']) {
      assert.equal(await (await server.get(`/mounted-1.0/${path}`)).text(), 'mounted');
    }
    for (const path of ['secret.txt', 'out/secret.txt', 'docs/beside-1.0/index.html']) {
      assert.equal((await server.get(`/mounted-1.0/${path}`)).status, 404, path);
    }
    const archive = await server.get('/mounted-1.0-docs.zip');
    const zip = await JSZip.loadAsync(new Uint8Array(await archive.arrayBuffer()));
    assert.deepEqual(Object.keys(zip.files).sort(), ['index.html', 'inside.html']);
    await rm(outside, { recursive: true });
  });

  it('never serves or packs a hidden file through a symlink', async () => {
    const directory = await copyIn('hidden-1.0', {
      'index.html': 'x',
      '.git/config': 'secret',
      '.well-known/about': 'public',
    });
    await symlink('.git', join(directory, 'git'));
    await symlink('.git/config', join(directory, 'config'));
    await symlink('.well-known/about', join(directory, 'about'));
    await server.shows('/hidden-1.0/');
    for (const path of ['git/config', 'git/', 'config', '.git/config']) {
      assert.equal((await server.get(`/hidden-1.0/${path}`)).status, 404, path);
    }
    assert.equal(await (await server.get('/hidden-1.0/about')).text(), 'public');
    const zip = await JSZip.loadAsync(await (await server.get('/hidden-1.0-docs.zip')).arrayBuffer());
    const files = Object.values(zip.files).filter(({ dir }) => !dir);
    assert.deepEqual(files.map(({ name }) => name).sort(), ['.well-known/about', 'about', 'index.html']);
  });

  it('is packed without a directory whose name is not UTF-8', async () => {
    const directory = await copyIn('bytes-1.0', { 'index.html': 'x' });
    await mkdir(Buffer.concat([Buffer.from(`${directory}/d`), Buffer.from([0xff])]));
    await server.shows('/bytes-1.0/');
    const download = await server.get('/api/download/bytes/1.0');
    assert.equal(download.status, 200);
    assert.deepEqual(Object.keys((await JSZip.loadAsync(await download.arrayBuffer())).files), [
      'index.html',
    ]);
  });

  it('is served in its current state when a file keeps its size and modification time', async () => {
    const directory = await copyIn('kept-1.0', { 'a.txt': 'one' });
    const time = new Date('2020-01-01T00:00:00Z');
    await utimes(join(directory, 'a.txt'), time, time);
    await server.shows('/kept-1.0/a.txt');
    const etag = (await server.get('/kept-1.0/a.txt')).headers.get('etag') ?? '';
    assert.equal((await server.get('/kept-1.0/a.txt', { 'If-None-Match': etag })).status, 304);
    await writeFile(join(directory, 'a.txt'), 'two');
    await utimes(join(directory, 'a.txt'), time, time);
    assert.equal(await (await server.get('/kept-1.0/a.txt', { 'If-None-Match': etag })).text(), 'two');
  });

  it('is served in its current state', async () => {
    const directory = await copyIn('edited-1.0', { 'index.html': 'one' });
    await server.shows('/edited-1.0/');
    const first = await server.get('/edited-1.0/');
    assert.equal(await first.text(), 'one');
    await writeFile(join(directory, 'index.html'), 'two');
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    assert.equal(await (await server.get('/edited-1.0/', headers)).text(), 'two');
  });

  it('lists its files with their sizes without a front page, and a new front page appears within seconds', async () => {
    const directory = await copyIn('listed-1.0', { 'a/one.txt': 'seven b' });
    await server.shows('/listed-1.0/');
    const listed = async () => (await server.get('/listed-1.0/')).text();
    assert.match(await listed(), /one\.txt<.*>7 bytes</);
    await writeFile(join(directory, 'a/two.txt'), '');
    await until(async () => /two\.txt/.test(await listed()));
  });

  it('is protected from uploads and replaced by tokens with allow_overwrite', async () => {
    await copyIn('taken-1.0', { 'index.html': 'by hand', 'old.html': '' });
    assert.equal((await server.upload('taken-1.0-docs.zip', undefined, 'ci')).status, 409);
    assert.equal(await (await server.get('/taken-1.0/')).text(), 'by hand');
    assert.equal((await server.upload('taken-1.0-docs.zip', { 'index.html': 'uploaded' })).status, 200);
    assert.equal(await (await server.get('/taken-1.0/')).text(), 'uploaded');
    assert.equal((await server.get('/taken-1.0/old.html')).status, 404);
  });

  it('is deleted like any other version', async () => {
    await copyIn('gone-1.0', { 'index.html': 'x' });
    await server.shows('/gone-1.0/');
    assert.equal((await server.delete('gone/1.0')).status, 200);
    assert.equal((await server.get('/gone-1.0/')).status, 404);
  });

  it('follows a move', async () => {
    const directory = await copyIn('moved-1.0', { 'index.html': 'x' });
    await server.shows('/moved-1.0/');
    await rename(directory, join(server.docs, 'moved-2.0'));
    await server.shows('/moved-2.0/');
    await server.answers('/moved-1.0/', 404);
    assert.equal((await server.json('/api/projects?search=moved')).projects[0].versions.length, 1);
  });
});
