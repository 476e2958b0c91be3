import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { verifyDocs } from '../../src/adapters/filesystem/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import type { Check } from '../../src/application/index.js';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';

describe('Verifying a docs directory, while its server runs,', () => {
  const archives = new ZipArchives();
  let server: TestServer;
  let docs: string;
  let site: string;

  beforeEach(async () => {
    await server?.close();
    await rm(docs ?? '', { recursive: true, force: true });
    docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    server = await TestServer.start({ docs });
    await server.upload('a-1.0-docs.zip', { 'index.html': 'first page', 'b/c.html': 'second page' });
    await server.upload('b-1.0-docs.zip', { 'index.html': 'other' });
    const home = join(docs, '.lectern/sites/a-1.0');
    site = join(home, (await readdir(home))[0] ?? '', 'site');
  });
  after(async () => {
    await server.close();
    await archives.close();
    await rm(docs, { recursive: true, force: true });
  });

  async function check(repair: boolean): Promise<Check[]> {
    const checks: Check[] = [];
    for await (const found of verifyDocs(docs, { archives, repair, graceMs: 0 })) checks.push(found);
    return checks;
  }

  it('finds nothing in an intact directory, and changes nothing', async () => {
    const before = await tree(docs);
    assert.deepEqual(
      (await check(true)).map(({ name, done, total, faults }) => [name, done, total, faults]),
      [
        ['a-1.0', 1, 2, []],
        ['b-1.0', 2, 2, []],
      ],
    );
    assert.deepEqual(await tree(docs), before);
  });

  const DAMAGES: readonly [title: string, damage: () => Promise<void>, fault: RegExp][] = [
    [
      'an emptied file',
      () => truncate(join(site, 'index.html'), 0),
      /'index\.html' has 0 bytes instead of 10/,
    ],
    [
      'a shortened file',
      () => truncate(join(site, 'index.html'), 4),
      /'index\.html' has 4 bytes instead of 10/,
    ],
    [
      'a file of zeros',
      () => writeFile(join(site, 'index.html'), Buffer.alloc(10)),
      /'index\.html' has different content/,
    ],
    ['a missing file', () => unlink(join(site, 'b/c.html')), /'b\/c\.html' is missing/],
    ['a missing directory', () => rm(join(site, 'b'), { recursive: true }), /'b\/c\.html' is missing/],
    ['a file too many', () => writeFile(join(site, 'more.html'), ''), /'more\.html' is not in the archive/],
  ];
  for (const [title, damage, fault] of DAMAGES) {
    it(`reports ${title}, and repairs it with --repair`, async () => {
      await damage();
      const [found] = await check(false);
      assert.match(found?.faults[0] ?? '', fault);
      assert.equal(found?.isRepaired, false);
      const [repaired] = await check(true);
      assert.equal(repaired?.isRepaired, true);
      assert.deepEqual(
        (await check(false)).flatMap(({ faults }) => faults),
        [],
      );
      assert.equal(await (await server.get('/a-1.0/')).text(), 'first page');
      assert.equal(await (await server.get('/a-1.0/b/c.html')).text(), 'second page');
      assert.equal((await readdir(join(docs, '.lectern/sites/a-1.0'))).length, 1);
    });
  }

  it('reports a damaged archive, and does not repair from it', async () => {
    await truncate(join(site, 'index.html'), 0);
    await appendFile(join(site, '../archive.zip'), 'x');
    const [found] = await check(true);
    assert.match(found?.faults[0] ?? '', /SHA-256 differs/);
    assert.equal(found?.isRepaired, false);
    assert.equal((await readFile(join(site, 'index.html'))).length, 0);
  });

  it('reports a damaged archive beside an intact site with a remedy, and changes nothing', async () => {
    const archive = join(site, '../archive.zip');
    const whole = await readFile(archive);
    const [, ...rest] = whole;
    await writeFile(archive, Buffer.of(0x51, ...rest));
    const before = await tree(docs);
    const [found] = await check(true);
    assert.deepEqual(found?.faults, [
      `its archive is not the uploaded one, the SHA-256 differs: ${archive}; restore it from a backup, or publish the version again`,
    ]);
    assert.equal(found?.isRepaired, false);
    assert.deepEqual(await tree(docs), before);
    assert.equal(await (await server.get('/a-1.0/')).text(), 'first page');
    await writeFile(archive, whole);
    assert.deepEqual((await check(false))[0]?.faults, []);
  });

  it('reports a missing or damaged version.json', async () => {
    await writeFile(join(site, '../version.json'), '{"format": 1');
    assert.deepEqual((await check(true))[0]?.faults, ['its version.json is missing or damaged']);
  });

  it('is silent about copied-in directories', async () => {
    await unlink(join(docs, 'a-1.0'));
    await rm(join(docs, 'c-1.0'), { recursive: true, force: true });
    await writeFile(join(docs, 'notes.txt'), '');
    assert.deepEqual(
      (await check(false)).map(({ name }) => name),
      ['b-1.0'],
    );
  });
});
