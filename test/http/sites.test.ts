import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeSites } from '../suites/sites.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describeSites('A site', async () => {
  const server = await TestServer.start({ cacheBytes: 0 });
  return { server, close: () => server.close() };
});

describeSites('A site that is held in memory', async () => {
  const server = await TestServer.start({ cacheBytes: 1_000_000 });
  // The first answer fills the memory, once the time stamp of the uploads is old enough to be trusted.
  const warmUp = async (paths: readonly string[]) =>
    until(async () => {
      for (const encoding of ['identity', 'gzip']) {
        for (const path of paths)
          await (await server.get(path, { 'Accept-Encoding': encoding })).arrayBuffer();
      }
      return server.answeredFromMemory > paths.length;
    });
  return { server, warmUp, close: () => server.close() };
});

it('A page is answered from memory only where that is meant', async (t) => {
  for (const cacheBytes of [0, 1_000_000]) {
    const server = await TestServer.start({ cacheBytes });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip');
    const read = async () => (await server.get('/tool-1.0/')).text();
    if (cacheBytes > 0) await until(async () => (await read()) !== '' && server.answeredFromMemory > 0);
    const before = server.answeredFromMemory;
    for (let round = 0; round < 3; round++) await read();
    assert.equal(server.answeredFromMemory, cacheBytes === 0 ? 0 : before + 3);
  }
});

it('A page is kept from its second reader on, so that a walk through a site drives nothing out', async (t) => {
  const server = await TestServer.start();
  t.after(() => server.close());
  await server.upload('tool-1.0-docs.zip');
  const read = async (path: string) => (await server.get(path)).text();
  await until(async () => (await read('/tool-1.0/')) !== '' && server.answeredFromMemory > 1);
  const before = server.keptBytes;
  await read('/tool-1.0/index.html');
  assert.equal(server.keptBytes, before);
  await read('/tool-1.0/index.html');
  assert.ok(server.keptBytes > before);
});

it('A page that is read often stays in memory, however often somebody walks through a larger site', async (t) => {
  const server = await TestServer.start({ cacheBytes: 100_000 });
  t.after(() => server.close());
  const names = Array.from({ length: 40 }, (_, at) => `${at}.html`);
  await server.upload('tool-1.0-docs.zip', { 'index.html': 'often' });
  await server.upload(
    'large-1.0-docs.zip',
    Object.fromEntries(names.map((name) => [name, name.repeat(1_000)])),
  );
  const read = async (path: string) => (await server.get(path)).text();
  await until(async () => (await read('/tool-1.0/')) !== '' && server.hits > 1);
  const walk = async () => {
    for (const name of names) await read(`/large-1.0/${name}`);
    return server.hits;
  };
  // The first two may fill what room there is; what they keep answers some of the later ones.
  await walk();
  await walk();
  const kept = server.keptBytes;
  const before = await walk();
  const inOneWalk = (await walk()) - before;
  assert.ok(inOneWalk > 0 && inOneWalk < names.length, `${inOneWalk} of ${names.length} pages from memory`);
  assert.equal((await walk()) - before, 2 * inOneWalk);
  assert.equal(server.keptBytes, kept);
  assert.equal(await read('/tool-1.0/'), 'often');
  assert.equal(server.hits, before + 2 * inOneWalk + 1);
});

it('A page that has changed since goes out of memory too, for whoever has an older one', async (t) => {
  const server = await TestServer.start();
  t.after(() => server.close());
  await server.upload('tool-1.0-docs.zip');
  const read = async (headers: Record<string, string>) => server.get('/tool-1.0/', headers);
  await until(async () => (await read({})).ok && server.answeredFromMemory > 1);
  const before = server.answeredFromMemory;
  const etag = (await read({})).headers.get('etag') ?? '';
  const conditions = ['"another"', `"another", ${etag}`, `W/${etag}`, '*'];
  const statuses = conditions.map(async (condition) => (await read({ 'If-None-Match': condition })).status);
  assert.deepEqual(await Promise.all(statuses), [200, 304, 304, 304]);
  assert.equal(server.answeredFromMemory, before + 1 + conditions.length);
});
