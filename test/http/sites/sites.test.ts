import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeSites } from '../../suites/sites.js';
import { TestServer } from '../../support/server.js';

describeSites('A site', async () => {
  const server = await TestServer.start({ cacheBytes: 0 });
  return { server, close: () => server.close() };
});

describeSites('A site that is held in memory', async () => {
  const server = await TestServer.start({ cacheBytes: 1_000_000 });
  const warmUp = async (paths: readonly string[]) => {
    for (const encoding of ['identity', 'gzip']) {
      for (const path of paths) await (await server.get(path, { 'Accept-Encoding': encoding })).arrayBuffer();
    }
  };
  return { server, warmUp, close: () => server.close() };
});

it('serves a page from memory from its second reader on, unless --cache-size is 0', async (t) => {
  for (const cacheBytes of [0, 1_000_000]) {
    const server = await TestServer.start({ cacheBytes });
    t.after(() => server.close());
    await server.upload('tool-1.0-docs.zip');
    for (let round = 0; round < 4; round++) await (await server.get('/tool-1.0/')).text();
    assert.equal(server.answeredFromMemory, cacheBytes === 0 ? 0 : 3);
  }
});

it('shares one page in memory among all spellings of its path, within --cache-size', async (t) => {
  const server = await TestServer.start({ cacheBytes: 100_000 });
  t.after(() => server.close());
  const names = Array.from({ length: 40 }, (_, at) => `abcdef-${at}.html`);
  await server.upload(
    'large-1.0-docs.zip',
    Object.fromEntries([...names, 'index.html'].map((name) => [name, name.repeat(1_000)])),
  );
  const page = 'index.html'.repeat(1_000);
  for (const path of ['', 'index.html', '%69ndex.html', 'i%6Edex.html', 'in%64ex.html', '?a', '?b']) {
    assert.equal(await (await server.get(`/large-1.0/${path}`)).text(), page);
  }
  const one = server.keptBytes;
  assert.ok(one > page.length / 20 && one < 2 * page.length, `${one} bytes for one page`);
  for (const name of names) {
    assert.equal((await (await server.get(`/large-1.0/${name}`)).text()).length, name.length * 1_000);
    assert.ok(server.keptBytes <= 100_000);
  }
});

it('sends a changed page from memory to a reader with an old copy, and 304 for a current one', async (t) => {
  const server = await TestServer.start();
  t.after(() => server.close());
  await server.upload('tool-1.0-docs.zip');
  const read = async (headers: Record<string, string>) => server.get('/tool-1.0/', headers);
  const etag = (await read({})).headers.get('etag') ?? '';
  const conditions = ['"another"', `"another", ${etag}`, `W/${etag}`, '*'];
  const statuses = conditions.map(async (condition) => (await read({ 'If-None-Match': condition })).status);
  assert.deepEqual(await Promise.all(statuses), [200, 304, 304, 304]);
  assert.equal(server.answeredFromMemory, conditions.length);
});
