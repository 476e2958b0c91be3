import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { SharedDatabases } from '../../src/adapters/search/databases/shared-databases.js';
import { SqliteSearchIndex } from '../../src/adapters/search/index.js';
import type { DerivedFiles } from '../../src/application/index.js';
import { siteOf } from '../support/searchable-site.js';
import { until } from '../support/until.js';

const SITE = siteOf({ 'index.html': '<title>Apples</title><p>apple</p>' });
const UNREADABLE = {
  async *sample() {},
  async *pages() {
    yield* [] as { path: string; bytes: Uint8Array }[];
    throw new Error('the pages were read');
  },
};

describe('Servers that share databases', () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-search-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  const files = new Map<string, Buffer>();
  /** Files that were opened and neither read nor closed. */
  let open = 0;
  const derived: DerivedFiles = {
    async open(revision, name) {
      const bytes = files.get(`${revision}/${name}`);
      if (bytes === undefined) return undefined;
      open += 1;
      return {
        size: bytes.length,
        modifiedAt: new Date(0),
        etag: '',
        async *stream() {
          yield bytes;
          open -= 1;
        },
        async close() {
          open -= 1;
        },
      };
    },
    async write(revision, name, content) {
      files.set(`${revision}/${name}`, await buffer(content));
    },
  };
  let servers = 0;
  const server = (shared: DerivedFiles = derived) => {
    servers += 1;
    return serverAt(servers, shared);
  };
  const serverAt = (number: number, shared: DerivedFiles = derived) => {
    const home = join(directory, String(number));
    return new SqliteSearchIndex({ fileOf: (revision) => join(home, revision, 'search.db'), shared });
  };
  const find = async (index: SqliteSearchIndex, revision: string) => {
    const { results, missing } = await index.search('apple', [{ revision, project: 'p' }], { limit: 5 });
    return [results.length, missing.length];
  };

  it('index the pages once, and fetch the result', async () => {
    const [one, other] = [server(), server()];
    const built = await one.build('r1', SITE);
    assert.deepEqual(await other.build('r1', UNREADABLE), built);
    assert.deepEqual(await find(other, 'r1'), [1, 0]);
    await Promise.all([one.close(), other.close()]);
  });

  it('index the pages when the fetched database is damaged, and share the repaired one', async () => {
    const [one, other] = [server(), server()];
    await one.build('r2', SITE);
    const [name = '', bytes] = [...files].find(([key]) => key.startsWith('r2/') && key.endsWith('.db')) ?? [];
    files.set(name, Buffer.alloc(bytes?.length ?? 0, 1));
    await other.build('r2', UNREADABLE);
    assert.deepEqual(await find(other, 'r2'), [0, 1]);
    await other.build('r2', SITE);
    assert.deepEqual(await find(other, 'r2'), [1, 0]);
    assert.deepEqual(files.get(name), bytes);
    await Promise.all([one.close(), other.close()]);
  });

  it('wait for the server that indexes the pages', async () => {
    const [one, other] = [server(), server()];
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = {
      ...SITE,
      async *pages() {
        await held;
        yield* SITE.pages();
      },
    };
    const building = one.build('r4', slow);
    await until(() => [...files.keys()].some((key) => key.startsWith('r4/')));
    const fetching = other.build('r4', UNREADABLE);
    goOn();
    assert.deepEqual(await fetching, await building);
    assert.deepEqual(await find(other, 'r4'), [1, 0]);
    await Promise.all([one.close(), other.close()]);
  });

  it('index the pages themselves when the indexing server was killed, and at once after their own restart', async () => {
    const claimed = async (revision: string) => {
      const killed = server();
      const home = servers;
      await assert.rejects(killed.build(revision, UNREADABLE), /the pages were read/);
      await killed.close();
      return home;
    };
    const again = serverAt(await claimed('r5'));
    await again.build('r5', SITE);
    assert.deepEqual(await find(again, 'r5'), [1, 0]);
    await claimed('r6');
    let looks = 0;
    const counted: DerivedFiles = {
      ...derived,
      open: (revision, name) => {
        if (name.endsWith('.claim')) looks += 1;
        return derived.open(revision, name);
      },
    };
    const shared = new SharedDatabases(counted, 1);
    assert.equal(await shared.fetch('r6', join(directory, 'r6.db'), 'other'), undefined);
    assert.equal(looks, 60);
    await again.close();
  });

  it('stop waiting on abort', async () => {
    const [one, other] = [server(), server()];
    await assert.rejects(one.build('r7', UNREADABLE));
    const stop = new AbortController();
    const waiting = other.build('r7', SITE, stop.signal);
    stop.abort(new Error('closing'));
    await assert.rejects(waiting, /closing/);
    await Promise.all([one.close(), other.close()]);
  });

  it('index the pages when the shared database is incomplete or unreachable', async () => {
    const one = server();
    await one.build('r3', SITE);
    for (const key of files.keys())
      if (key.startsWith('r3/') && key.endsWith('.db')) files.set(key, Buffer.from('x'));
    const fail = async () => {
      throw new Error('the store is away');
    };
    for (const index of [server(), server({ open: fail, write: fail })]) {
      await index.build('r3', SITE);
      assert.deepEqual(await find(index, 'r3'), [1, 0]);
      assert.equal(open, 0);
      await index.close();
    }
    await one.close();
  });
});
