import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FilesystemUsageStore } from '../../src/adapters/filesystem/index.js';
import { mergedUsage } from '../../src/domain/index.js';
import { programBeside } from '../support/program-beside.js';
import { type Json, TestServer } from '../support/server.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { archiveOf, ask, TOKENS_JSON } from './client.js';
import { mountTmpfs, remount, unmount, whyNoMounts } from './mounts.js';

const ALL = { from: '2000-01-01', to: '2100-01-01' };
const reason = await whyNoMounts();

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'lectern-usage-'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** Total reads and misses of a project; fails when a file is damaged. */
async function totalsOf(directory: string, project: string) {
  const damaged: object[] = [];
  const store = new FilesystemUsageStore(directory, (_, fields) => damaged.push(fields));
  const totals = { reads: 0, misses: 0, known: 0 };
  for await (const { usages } of store.read(project, ALL)) {
    for (const { reads, misses } of mergedUsage(usages).values()) {
      totals.reads += reads.total;
      totals.misses += misses.total;
      totals.known += [...reads.paths.values()].reduce((sum, count) => sum + count, 0);
    }
  }
  assert.deepEqual(damaged, []);
  return totals;
}

describe('Counts of reads, when the server is killed,', () => {
  it('include every saved read, and are never damaged', async () => {
    let [saved, killed] = [0, 0];
    for (let round = 0; round < 8; round++) {
      const child = spawn(
        process.execPath,
        [...process.execArgv, programBeside(import.meta.url, 'counts-until-killed'), place],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let said = '';
      child.stdout.on('data', (chunk) => {
        said += String(chunk);
      });
      await until(() => said.split('\n').length > 4);
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 150));
      child.kill('SIGKILL');
      await once(child, 'close');
      killed += 1;
      saved += Number(said.trimEnd().split('\n').at(-1));
      for (const project of ['a', 'b']) {
        const { reads, misses, known } = await totalsOf(place, project);
        // Each process may have saved one more than it could print.
        assert.ok(reads >= saved && reads <= saved + killed, `${reads} of ${saved}`);
        assert.ok(misses >= saved && misses <= saved + killed, `${misses} of ${saved}`);
        assert.equal(known, reads);
      }
    }
    assert.ok(saved > 20, String(saved));
  });

  it('are saved by SIGTERM, and add up over several servers', async () => {
    const docs = join(place, 'docs');
    const tokens = join(place, 'tokens.json');
    await writeFile(tokens, TOKENS_JSON);
    const args = ['-d', docs, '--tokens', tokens, '--usage', '--search', 'off', '--log-level', 'error'];
    const start = () => SpawnedServer.start(args);
    const [first, second] = [await start(), await start()];
    const { status } = await ask(first.url, '/api/upload', { name: 'a-1.0', bytes: archiveOf('one') });
    assert.equal(status, 201);
    for (const { url } of [first, first, second]) {
      await until(async () => (await ask(url, '/a-1.0/')).status !== 404);
      await ask(url, '/a-1.0/nope');
    }
    assert.deepEqual((await first.stop()).code, 0);
    assert.deepEqual((await second.stop()).code, 0);
    const third = await start();
    const usage = JSON.parse((await ask(third.url, '/api/projects/a/usage')).text) as Json;
    await third.stop();
    assert.equal(usage.reads, 3);
    assert.ok(usage.not_found >= 3);
    assert.deepEqual(usage.missing[0], { path: 'nope', not_found: 3, versions: ['1.0'] });
    assert.deepEqual(await readdir(join(docs, '.lectern/incoming')), []);
  });
});

describe('Counts of reads, on a full disk,', { skip: reason ?? false }, () => {
  let server: TestServer;
  let disk: string;
  beforeEach(async () => {
    disk = join(place, 'disk');
    await mkdir(disk);
    await mountTmpfs(disk, 'size=64k');
  });
  afterEach(async () => {
    await server.close();
    await unmount(disk);
  });

  for (const [name, stop, goOn] of [
    [
      'full',
      async () => {
        const { bavail, bsize } = await statfs(disk);
        await writeFile(join(disk, '.ballast'), Buffer.alloc(bavail * bsize));
      },
      () => rm(join(disk, '.ballast')),
    ],
    ['read-only', () => remount(disk, 'ro'), () => remount(disk, 'rw')],
  ] as const) {
    it(`wait in memory while it is ${name}: readers notice nothing, and the log reports it once`, async () => {
      server = await TestServer.start({ usage: new FilesystemUsageStore(join(disk, 'usage')) });
      await server.upload('a-1.0-docs.zip', { 'index.html': 'front' });
      const read = async () => {
        const response = await server.get('/a-1.0/');
        assert.deepEqual([response.status, await response.text()], [200, 'front']);
        await server.saveUsage();
      };
      await read();
      await stop();
      for (let round = 0; round < 3; round++) await read();
      assert.deepEqual(await totalsOf(join(disk, 'usage'), 'a'), { reads: 1, misses: 0, known: 1 });
      const said = server.log.filter((line) => JSON.stringify(line).includes('cannot be saved'));
      assert.equal(said.length, 1);
      await goOn();
      await read();
      assert.deepEqual(await totalsOf(join(disk, 'usage'), 'a'), { reads: 5, misses: 0, known: 5 });
      assert.deepEqual((await readdir(join(disk, 'usage/a'))).length, 1);
    });
  }
});
