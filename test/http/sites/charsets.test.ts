import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ZipArchives } from '../../../src/adapters/zip/index.js';
import { openNode } from '../../object-store/support.js';
import { describeCharsets } from '../../suites/charsets.js';
import { TestServer } from '../../support/server.js';

describeCharsets('A site that is not all in UTF-8', async () => {
  const server = await TestServer.start();
  return { server, close: () => server.close() };
});

describeCharsets('A site in an object store that is not all in UTF-8', async () => {
  const archives = new ZipArchives();
  const ends: (() => Promise<void>)[] = [() => archives.close()];
  const { store } = await openNode({ after: (end) => void ends.unshift(end) }, new Map(), { archives });
  const server = await TestServer.start({ objects: store });
  const close = async () => {
    await server.close();
    for (const end of ends) await end();
  };
  return { server, close };
});

const KOI8 = Buffer.from('<meta charset=koi8-r><p>\xf0\xd2\xc9', 'latin1');
const LARGE = Buffer.concat([KOI8, Buffer.alloc(2_000_000, ' ')]);

describe('A page that is not in UTF-8', () => {
  const typeOf = async (server: TestServer, path: string) =>
    (await server.get(path)).headers.get('content-type');

  it('keeps its charset when its version is restored', async (t) => {
    const server = await TestServer.start({ keepRemovedMs: 60_000 });
    t.after(() => server.close());
    await server.upload('a-1.0-docs.zip', { 'index.html': KOI8 });
    assert.equal((await server.delete('a/1.0')).status, 200);
    const restored = await server.fetch('/api/restore/a/1.0', {
      method: 'POST',
      headers: { 'X-Token': 'secret-deleter' },
    });
    assert.ok(restored.ok, await restored.text());
    assert.equal(await typeOf(server, '/a-1.0/'), 'text/html; charset=KOI8-R');
  });

  it('keeps its charset when the index of its archive is damaged, as by a power cut', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    await server.upload('a-1.0-docs.zip', { 'index.html': KOI8, 'large.html': LARGE, 'utf8.html': 'ü' });
    await writeFile(join(await realpath(join(server.docs, 'a-1.0')), '../archive-index'), 'damaged');
    for (const [path, charset] of [
      ['', 'KOI8-R'],
      ['large.html', 'KOI8-R'],
      ['utf8.html', 'utf-8'],
    ]) {
      const answer = await server.get(`/a-1.0/${path}`);
      assert.equal(answer.headers.get('content-type'), `text/html; charset=${charset}`);
      const length = path === 'large.html' ? LARGE.length : path === '' ? KOI8.length : 2;
      assert.equal((await answer.arrayBuffer()).byteLength, length);
    }
  });

  it('gets the tag of the switcher, unless it is in UTF-16', async (t) => {
    const server = await TestServer.start({ switcher: true });
    t.after(() => server.close());
    const utf16 = Buffer.from('\ufeff<html><head></head>x', 'utf16le');
    await server.upload('a-1.0-docs.zip', { 'index.html': KOI8, 'wide.html': utf16 });
    const page = Buffer.from(await (await server.get('/a-1.0/')).arrayBuffer());
    assert.ok(page.subarray(0, KOI8.length).equals(KOI8));
    assert.match(page.toString('latin1'), /switcher\.js/);
    assert.equal(await typeOf(server, '/a-1.0/'), 'text/html; charset=KOI8-R');
    const wide = await server.get('/a-1.0/wide.html');
    assert.deepEqual(Buffer.from(await wide.arrayBuffer()), utf16);
  });

  it('has its charset in a copied-in directory, also after a change', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    const directory = join(server.docs, 'hand-1.0');
    await mkdir(directory);
    const files = {
      'index.html': KOI8,
      'a.js': Buffer.from('"\xf0"', 'latin1'),
      'utf8.js': Buffer.from('"Ü"'),
      'large.html': LARGE,
      'empty.html': Buffer.alloc(0),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
    await server.shows('/hand-1.0/');
    for (const [name, type] of [
      ['index.html', 'text/html; charset=KOI8-R'],
      ['a.js', 'text/javascript'],
      ['utf8.js', 'text/javascript; charset=utf-8'],
      ['large.html', 'text/html; charset=KOI8-R'],
      ['empty.html', 'text/html; charset=utf-8'],
    ] as const) {
      const answer = await server.get(`/hand-1.0/${name}`);
      assert.equal(answer.headers.get('content-type'), type);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), files[name]);
    }
    await writeFile(join(directory, 'index.html'), '<meta charset=koi8-r><p>ü');
    assert.equal(await typeOf(server, '/hand-1.0/'), 'text/html; charset=utf-8');
  });
});
