import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { needsNginx, startNginx } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import type { WebServer } from '../support/web-server.js';
import { zipOf } from '../support/zip-writer.js';

describe('Versions that change behind nginx', needsNginx, () => {
  let lectern: TestServer;
  let server: TestServer;
  let nginx: WebServer;
  before(async () => {
    lectern = await TestServer.start({ trustProxy: true, accelRedirect: '/-/files/' });
    nginx = await startNginx(lectern.docs, lectern.url);
    server = lectern.reachedAt(nginx.url);
  });
  after(async () => {
    await nginx.close();
    await lectern.close();
  });

  it('show every reader the old version or the new one in 100 replacements', async (t) => {
    const page = (name: string, generation: number) =>
      `${name} ${generation} ${'·'.repeat(generation % 11)}\n`.repeat(200 + ((generation * 97) % 500));
    const archives = Array.from({ length: 101 }, (_, generation) =>
      zipOf({ 'index.html': page('index', generation), 'guide.html': page('guide', generation) }),
    );
    assert.equal((await server.upload('changing-1.0-docs.zip', archives[0] as Buffer)).status, 201);
    let isOver = false;
    let reads = 0;
    const seen = new Set<number>();
    const paths = [
      ['/changing-1.0/', 'index'],
      ['/changing-1.0/guide.html', 'guide'],
      ['/changing-1.0-docs.zip', undefined],
      ['/changing-latest/guide.html', 'guide'],
      ['/changing-latest-docs.zip', undefined],
    ] as const;
    const read = async (path: string, name: string | undefined, encoding: string): Promise<number> => {
      const answer = await server.get(path, { 'Accept-Encoding': encoding });
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(answer.status, 200, path);
      if (name === undefined) return archives.findIndex((archive) => archive.equals(bytes));
      const generation = Number(/^\w+ (\d+) /.exec(String(bytes))?.[1]);
      assert.ok(String(bytes) === page(name, generation), `${path}: no whole page of ${generation}`);
      return generation;
    };
    const reader = async (encoding: string) => {
      // Each link is moved by itself, and Lectern has a state of its own: none of them ever goes back.
      const newest = { version: 0, latest: 0, lectern: 0 };
      while (!isOver) {
        for (const [path, name] of paths) {
          const from =
            path === '/changing-latest-docs.zip' ? 'lectern' : path.includes('latest') ? 'latest' : 'version';
          const generation = await read(path, name, encoding);
          assert.ok(generation >= newest[from], `${path}: generation ${generation} after ${newest[from]}`);
          newest[from] = generation;
          seen.add(generation);
          reads += 1;
        }
      }
    };
    const replacing = async () => {
      try {
        for (const [generation, archive] of archives.entries()) {
          if (generation > 0)
            assert.equal((await server.upload('changing-1.0-docs.zip', archive)).status, 200);
          // However busy the machine is, the next one comes no sooner than somebody reads this one.
          await until(() => seen.has(generation));
        }
      } finally {
        isOver = true;
      }
    };
    await Promise.all([replacing(), ...['gzip', 'identity'].map(reader)]);
    t.diagnostic(`${reads} reads`);
  });

  it('complete a response with the bytes it began with, though the version is replaced and deleted', async () => {
    const before = randomBytes(30_000_000);
    await server.upload('slow-1.0-docs.zip', { 'index.html': 'before', 'big.png': before });
    const begun = await Promise.all(
      ['/slow-1.0/big.png', '/slow-latest/big.png', '/slow-1.0-docs.zip'].map(async (path) => {
        // Read by nobody yet: most of it is still to be sent.
        const [answer] = (await once(get(server.url + path), 'response')) as [IncomingMessage];
        return answer;
      }),
    );
    await server.upload('slow-1.0-docs.zip', { 'index.html': 'after', 'big.png': 'small' });
    for (const path of ['/slow-1.0/big.png', '/slow-latest/big.png']) {
      assert.equal(await (await server.get(path)).text(), 'small', path);
    }
    await server.delete('slow/1.0');
    for (const path of ['/slow-1.0/', '/slow-1.0/big.png', '/slow-latest/', '/slow-1.0-docs.zip']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    const [version, latest, archive] = await Promise.all(
      begun.map(async (answer) => {
        const bytes = Buffer.concat(await answer.toArray());
        assert.equal(bytes.length, Number(answer.headers['content-length']));
        return bytes;
      }),
    );
    assert.ok(version?.equals(before));
    assert.ok(latest?.equals(before));
    assert.equal(archive?.subarray(0, 2).toString(), 'PK');
  });

  it('show the newest acknowledged version as the latest, after each upload and each deletion', async () => {
    const page = async () => {
      const answer = await server.get('/moving-latest/page.html');
      return answer.status === 200 ? answer.text() : answer.status;
    };
    for (let round = 0; round < 10; round++) {
      for (const label of ['1.0', '2.0', '3.0']) {
        await server.upload(`moving-${label}-docs.zip`, { 'index.html': 'x', 'page.html': label });
        assert.equal(await page(), label);
      }
      for (const [label, next] of [
        ['3.0', '2.0'],
        ['1.0', '2.0'],
        ['2.0', 404],
      ] as const) {
        await server.delete(`moving/${label}`);
        assert.equal(await page(), next);
      }
    }
  });
});
