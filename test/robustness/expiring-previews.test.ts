import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { Changes, UploadVersion } from '../../src/application/index.js';
import { archiveNameOf, tokenActor } from '../../src/domain/index.js';
import { programBeside } from '../support/program-beside.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { archiveHash, archiveOf, get, hashOf, markOf, TOKENS_JSON } from './client.js';
import { leaseholders, leftovers } from './leftovers.js';

/** Servers on the directory; one of them is killed in each round, each once. `LECTERN_EXPIRY_ROUNDS=50` makes a long hunt of it. */
const SERVERS = 2;
const ROUNDS = Number(process.env.LECTERN_EXPIRY_ROUNDS ?? 2);
const NAMES = ['a~pr-1', 'a~pr-2', 'b~pr-1'];
const HOUR_MS = 3_600_000;
/** So large that a page is sent in many pieces. */
const PAGE_BYTES = 300_000;
/** Pause of each of the five readers of a name: together they still ask about every 10 ms. */
const READ_EVERY_MS = 50;

/** Publications under the names of previews. */
class Publications {
  /** Name and end, in milliseconds since 1970, by mark. Listed before they are published. */
  private readonly ends = new Map<string, { readonly name: string; readonly endMs: number }>();
  private readonly hashes = new Set<string>();
  private readonly archives = new ZipArchives();

  private constructor(private readonly store: FilesystemDocStore) {}

  /** Publishes by a process of its own, which can choose ends that no request may ask for. */
  static async open(docs: string): Promise<Publications> {
    const archives = new ZipArchives();
    const options = { archives, readDocinfo: () => ({}), graceMs: 100, pollMs: 100 };
    return new Publications(await FilesystemDocStore.open(docs, options));
  }

  async publish(name: string, livesMs: number): Promise<number> {
    const mark = `${name} ${this.ends.size}`;
    const archive = archiveOf(mark, PAGE_BYTES);
    const endMs = Date.now() + livesMs;
    this.ends.set(mark, { name, endMs });
    this.hashes.add(hashOf(archive));
    await new UploadVersion(this.store, new Changes(this.store), this.archives).execute({
      actor: tokenActor('ci'),
      fileName: archiveNameOf(name),
      content: (async function* () {
        yield archive;
      })(),
      // An hour is the shortest lifetime.
      expires: '1h',
      publishedAt: new Date(endMs - HOUR_MS),
    });
    return endMs;
  }

  /** A page has to be that of one publication under its name which had not ended when it was asked for. */
  assertWhole(name: string, mark: string | undefined, askedMs: number): void {
    const published = this.ends.get(mark ?? '');
    assert.equal(published?.name, name, `a page of ${name} is not whole, or of another: ${mark}`);
    assert.ok((published?.endMs ?? 0) > askedMs, `${mark} was sent after its end`);
  }

  assertArchive(hash: string): void {
    assert.ok(this.hashes.has(hash), 'an archive is not one of those that were uploaded');
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.archives.close();
  }
}

/** Starts a process that removes expired previews, as two servers would after their first ten minutes. */
async function startHousekeeper(docs: string): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, programBeside(import.meta.url, 'housekeeper'), docs],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return Object.assign(child, { pid: child.pid ?? assert.fail() });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

describe('Previews that expire during reads, on two servers, with two more processes that remove them and are killed in turn,', () => {
  it('are complete or 404, never sent after their end, and leave nothing behind', async (t) => {
    const place = await mkdtemp(join(tmpdir(), 'lectern-expiry-'));
    const docs = join(place, 'docs');
    await writeFile(join(place, 'tokens.json'), TOKENS_JSON);
    const args = ['-d', docs, '--tokens', join(place, 'tokens.json'), '--log-level', 'error'];
    const servers = [await SpawnedServer.start(args), await SpawnedServer.start(args)];
    const housekeepers = [await startHousekeeper(docs), await startHousekeeper(docs)];
    const publications = await Publications.open(docs);
    const figures = { pages: 0, archives: 0, missing: 0, cut: 0, replacedAtTheirEnd: 0 };
    const killed = new Set<SpawnedServer>();
    let isOver = false;

    const read = async (name: string, number: number) => {
      while (!isOver) {
        const server = servers[number % SERVERS] ?? assert.fail();
        const { url } = server;
        const askedMs = Date.now();
        try {
          const { status, text } = await get(url, `/${name}/${number % 3 === 0 ? 'a/b.html' : ''}`);
          if (status === 200) {
            publications.assertWhole(name, markOf(text), askedMs);
            figures.pages += 1;
          } else {
            assert.equal(status, 404, text.slice(0, 200));
            figures.missing += 1;
          }
          if (number % 5 === 0) {
            const hash = await archiveHash(url, name);
            if (hash !== undefined) {
              publications.assertArchive(hash);
              figures.archives += 1;
            }
          }
        } catch (error) {
          // The connection ends with the server, and for no other reason.
          if (!(error instanceof TypeError) || !killed.has(server)) throw error;
          figures.cut += 1;
        }
        await sleep(READ_EVERY_MS);
      }
    };
    const write = async (name: string) => {
      while (!isOver) {
        const endMs = await publications.publish(name, 2_500 + Math.random() * 1_000);
        // About half of them are replaced at the moment at which they expire; the rest expire before.
        const isRace = Math.random() < 0.5;
        await sleep(endMs - Date.now() + (isRace ? Math.random() * 60 - 60 : 300));
        if (isRace) figures.replacedAtTheirEnd += 1;
      }
    };

    try {
      const working = [
        ...NAMES.map(write),
        ...NAMES.flatMap((name) => [0, 1, 2, 3, 5].map((n) => read(name, n))),
      ];
      const watched = Promise.all(working);
      watched.catch(() => {});
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.race([sleep(1_500 + Math.random() * 2_500), watched]);
        const victim = servers[round % SERVERS] ?? assert.fail();
        killed.add(victim);
        await victim.stop('SIGKILL');
        await end(housekeepers[round % SERVERS] ?? assert.fail(), 'SIGKILL');
        servers[round % SERVERS] = await SpawnedServer.start(args);
        housekeepers[round % SERVERS] = await startHousekeeper(docs);
      }
      await Promise.race([until(() => figures.pages > 0 && figures.missing > 0), watched]);
      isOver = true;
      await watched;
      await until(async () => !(await readdir(docs)).some((entry) => entry.includes('~')));
      await until(async () => (await leftovers(docs)).length === 0);
      for (const directory of ['sites', 'public', 'derived', 'locks', 'removed']) {
        await until(async () => (await readdir(join(docs, '.lectern', directory))).length === 0);
      }
      const pids = [...servers, ...housekeepers].map(({ pid }) => pid);
      assert.deepEqual([...(await leaseholders(docs))].sort(), [...pids, process.pid].sort());
      t.diagnostic(JSON.stringify(figures));
    } finally {
      isOver = true;
      for (const server of servers) await server.stop();
      for (const housekeeper of housekeepers) await end(housekeeper, 'SIGKILL');
      await publications.close();
      await rm(place, { recursive: true, force: true });
    }
  });
});
